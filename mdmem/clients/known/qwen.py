"""Qwen Code: server and hooks in its settings, skill and commands beside them."""

from __future__ import annotations

from mdmem.clients.plan import NAME, ConnectionPlan, JsonLines, LlmClient, Place, commands_in, skill_in


def _plan(place: Place) -> ConnectionPlan:
    settings = f"{place.folder}/settings.json"
    return ConnectionPlan(
        files=(*skill_in(f"{place.folder}/skills"), *commands_in(f"{place.folder}/commands/{NAME}", ".toml")),
        json=(JsonLines(settings, "mcp.json"), JsonLines(settings, "qwen/hooks.json")),
    )


QWEN = LlmClient(
    name="qwen",
    title="Qwen Code",
    program="qwen",
    folder=".qwen",
    folder_set_by="",
    project_folder=".qwen",
    for_user=_plan,
    for_project=_plan,
)
