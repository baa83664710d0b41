"""Claude Code: a plugin in the client's own folder of skills, from which it is loaded directly.

`claude plugin install` is not used: it sorts and reformats the user's settings, and copies the plugin to a cache
that goes stale. At the end of a session Claude Code stops the hooks of a plugin after 1.5 seconds, whatever
their own timeout, unless the user's settings give them more. Seen with 2.1.330.
"""

from __future__ import annotations

from mdmem.clients.plan import NAME, ConnectionPlan, JsonLines, LlmClient, Place, commands_in, plugin_in, skill_in


def _for_user(place: Place) -> ConnectionPlan:
    return ConnectionPlan(
        files=plugin_in(f"{place.folder}/skills/{NAME}"),
        json=(JsonLines(f"{place.folder}/settings.json", "claude/settings.json"),),
    )


def _for_project(place: Place) -> ConnectionPlan:
    settings = (
        f"{place.folder}/settings.local.json"  # of this user in this project; Claude Code keeps it out of git
    )
    return ConnectionPlan(
        files=(*skill_in(f"{place.folder}/skills"), *commands_in(f"{place.folder}/commands/{NAME}")),
        json=(
            JsonLines(f"{place.project}/.mcp.json", "plugin/mcp.json"),
            JsonLines(settings, "claude/approved.json"),
            JsonLines(settings, "plugin/hooks.json"),
        ),
    )


CLAUDE = LlmClient(
    name="claude-code",
    title="Claude Code",
    program="claude",
    folder=".claude",
    folder_set_by="CLAUDE_CONFIG_DIR",
    project_folder=".claude",
    for_user=_for_user,
    for_project=_for_project,
)
