"""pi: one extension, which starts the server itself, since pi has no MCP; the skill, and commands as prompts."""

from __future__ import annotations

from mdmem.clients.plan import ConnectionPlan, LlmClient, OwnFile, Place, skill_in


def _plan(place: Place) -> ConnectionPlan:
    extension = OwnFile(f"{place.folder}/extensions/mdmem.ts", "pi/mdmem.ts")
    return ConnectionPlan((extension, *skill_in(f"{place.folder}/skills")))


PI = LlmClient(
    name="pi",
    title="pi",
    program="pi",
    folder=".pi/agent",
    folder_set_by="PI_CODING_AGENT_DIR",
    project_folder=".pi",
    for_user=_plan,
    for_project=_plan,
)
