"""Gemini CLI: an extension in the client's own folder of extensions, from which it is loaded directly.

`gemini extensions link` is not used: it also marks the current folder as trusted, and writes the key of the
environment to disk. Seen with 0.61. PreCompress has no hook: it fires before every call of the model.
"""

from __future__ import annotations

from mdmem.clients.plan import NAME, ConnectionPlan, JsonLines, LlmClient, OwnFile, Place, commands_in, skill_in


def _for_user(place: Place) -> ConnectionPlan:
    folder = f"{place.folder}/extensions/{NAME}"
    return ConnectionPlan(
        (
            OwnFile(f"{folder}/gemini-extension.json", "gemini/gemini-extension.json"),
            OwnFile(f"{folder}/hooks/hooks.json", "gemini/hooks.json"),
            *skill_in(f"{folder}/skills"),
            *commands_in(f"{folder}/commands/{NAME}", ".toml"),
        )
    )


def _for_project(place: Place) -> ConnectionPlan:
    settings = f"{place.folder}/settings.json"
    return ConnectionPlan(
        files=(*skill_in(f"{place.folder}/skills"), *commands_in(f"{place.folder}/commands/{NAME}", ".toml")),
        json=(JsonLines(settings, "mcp.json"), JsonLines(settings, "gemini/hooks.json")),
        advice=("Gemini CLI reads these files only in a folder that you have trusted.",),
    )


GEMINI = LlmClient(
    name="gemini",
    title="Gemini CLI",
    program="gemini",
    folder=".gemini",
    folder_set_by="",
    project_folder=".gemini",
    for_user=_for_user,
    for_project=_for_project,
)
