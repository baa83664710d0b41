"""Codex: the plugin of Claude Code, registered by Codex's own command, which leaves the rest of config.toml alone.

The server is not `required`, for without such a server Codex does not start at all. Seen with 0.169.
"""

from __future__ import annotations

from mdmem.clients.plan import (
    NAME,
    ConnectionPlan,
    JsonLines,
    LlmClient,
    Place,
    Registration,
    TomlLines,
    marketplace_in,
    skill_in,
)

_TRUST = "Codex runs hooks only once you have trusted them: start codex, type /hooks, and trust those of mdmem."
_PLUGIN = f"{NAME}@{NAME}"


def _for_user(place: Place) -> ConnectionPlan:
    registration = Registration(
        add=(("plugin", "marketplace", "add", place.ours), ("plugin", "add", _PLUGIN)),
        remove=(("plugin", "remove", _PLUGIN), ("plugin", "marketplace", "remove", NAME)),
        kept_in=f"{place.folder}/config.toml",
        mark=f'[plugins."{_PLUGIN}"]',
        makes=(f"{place.folder}/plugins/cache/{NAME}/{NAME}",),
    )
    return ConnectionPlan(
        marketplace_in(place.ours, "codex/mcp.json"), registration=registration, advice=(_TRUST,)
    )


def _for_project(place: Place) -> ConnectionPlan:
    return ConnectionPlan(
        files=skill_in(f"{place.project}/.agents/skills"),
        json=(JsonLines(f"{place.folder}/hooks.json", "plugin/hooks.json"),),
        toml=(TomlLines(f"{place.folder}/config.toml", "codex/config.toml"),),
        advice=("Codex reads these files only in a project that you have trusted.", _TRUST),
    )


CODEX = LlmClient(
    name="codex",
    title="Codex",
    program="codex",
    folder=".codex",
    folder_set_by="CODEX_HOME",
    project_folder=".codex",
    for_user=_for_user,
    for_project=_for_project,
)
