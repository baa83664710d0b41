"""Copilot CLI: the plugin of Claude Code, from a marketplace named in the client's settings.

`copilot plugin install` is not used: it drops the comments in the user's settings, and leaves lines behind when
the plugin is removed. Seen with 1.0.102, which reads the same two lines however they got there.
"""

from __future__ import annotations

from mdmem.clients.plan import ConnectionPlan, JsonLines, LlmClient, Place, marketplace_in


def _plan(place: Place) -> ConnectionPlan:
    settings = "settings.local.json" if place.project else "settings.json"
    return ConnectionPlan(
        marketplace_in(place.ours), json=(JsonLines(f"{place.folder}/{settings}", "copilot/settings.json"),)
    )


COPILOT = LlmClient(
    name="copilot",
    title="Copilot CLI",
    program="copilot",
    folder=".copilot",
    folder_set_by="COPILOT_HOME",
    project_folder=".github/copilot",
    for_user=_plan,
    for_project=_plan,
)
