"""OpenCode: one plugin file, which includes the server, the hooks and the commands; and the skill."""

from __future__ import annotations

from mdmem.clients.plan import ConnectionPlan, LlmClient, OwnFile, Place, skill_in


def _plan(place: Place) -> ConnectionPlan:
    plugin = OwnFile(f"{place.folder}/plugin/mdmem.js", "opencode/mdmem.js")
    return ConnectionPlan((plugin, *skill_in(f"{place.folder}/skill")))


OPENCODE = LlmClient(
    name="opencode",
    title="OpenCode",
    program="opencode",
    folder=".config/opencode",
    folder_set_by="OPENCODE_CONFIG_DIR",
    project_folder=".opencode",
    for_user=_plan,
    for_project=_plan,
)
