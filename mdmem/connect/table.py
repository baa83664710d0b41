"""The clients that mdmem can connect, by name: which files connect each, and how it learns of them."""

from __future__ import annotations

from mdmem.connect.plan import (
    NAME,
    ConnectionPlan,
    FilledFile,
    LlmClient,
    Place,
    Registration,
    commands_in,
    marketplace_in,
    plugin_in,
    skill_in,
)

# Claude Code: a plugin in the client's own folder of skills, from which it is loaded directly.
#
# `claude plugin install` is not used: it sorts and reformats the user's settings, and copies the plugin to a cache
# that goes stale. At the end of a session Claude Code stops the hooks of a plugin after 1.5 seconds, whatever
# their own timeout, unless the user's settings give them more. Seen with 2.1.330.


def _claude_for_user(place: Place) -> ConnectionPlan:
    return ConnectionPlan(
        files=plugin_in(f"{place.folder}/skills/{NAME}"),
        json=(FilledFile(f"{place.folder}/settings.json", "claude/settings.json"),),
    )


def _claude_for_project(place: Place) -> ConnectionPlan:
    settings = (
        f"{place.folder}/settings.local.json"  # of this user in this project; Claude Code keeps it out of git
    )
    return ConnectionPlan(
        files=(*skill_in(f"{place.folder}/skills"), *commands_in(f"{place.folder}/commands/{NAME}")),
        json=(
            FilledFile(f"{place.project}/.mcp.json", "plugin/mcp.json"),
            FilledFile(settings, "claude/approved.json"),
            FilledFile(settings, "plugin/hooks.json"),
        ),
    )


# Codex: the plugin of Claude Code, registered by Codex's own command, which leaves the rest of config.toml alone.
#
# The server is not `required`, for without such a server Codex does not start at all. Seen with 0.169.

_TRUST = "Codex runs hooks only once you have trusted them: start codex, type /hooks, and trust those of mdmem."
_PLUGIN = f"{NAME}@{NAME}"


def _codex_for_user(place: Place) -> ConnectionPlan:
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


def _codex_for_project(place: Place) -> ConnectionPlan:
    return ConnectionPlan(
        files=skill_in(f"{place.project}/.agents/skills"),
        json=(FilledFile(f"{place.folder}/hooks.json", "plugin/hooks.json"),),
        toml=(FilledFile(f"{place.folder}/config.toml", "codex/config.toml"),),
        advice=("Codex reads these files only in a project that you have trusted.", _TRUST),
    )


# Copilot CLI: the plugin of Claude Code, from a marketplace named in the client's settings.
#
# `copilot plugin install` is not used: it drops the comments in the user's settings, and leaves lines behind when
# the plugin is removed. Seen with 1.0.102, which reads the same two lines however they got there.


def _copilot_plan(place: Place) -> ConnectionPlan:
    settings = "settings.local.json" if place.project else "settings.json"
    return ConnectionPlan(
        marketplace_in(place.ours), json=(FilledFile(f"{place.folder}/{settings}", "copilot/settings.json"),)
    )


# Gemini CLI: an extension in the client's own folder of extensions, from which it is loaded directly.
#
# `gemini extensions link` is not used: it also marks the current folder as trusted, and writes the key of the
# environment to disk. Seen with 0.61. PreCompress has no hook: it fires before every call of the model.


def _gemini_for_user(place: Place) -> ConnectionPlan:
    folder = f"{place.folder}/extensions/{NAME}"
    return ConnectionPlan(
        (
            FilledFile(f"{folder}/gemini-extension.json", "gemini/gemini-extension.json"),
            FilledFile(f"{folder}/hooks/hooks.json", "gemini/hooks.json"),
            *skill_in(f"{folder}/skills"),
            *commands_in(f"{folder}/commands/{NAME}", ".toml"),
        )
    )


def _gemini_for_project(place: Place) -> ConnectionPlan:
    settings = f"{place.folder}/settings.json"
    return ConnectionPlan(
        files=(*skill_in(f"{place.folder}/skills"), *commands_in(f"{place.folder}/commands/{NAME}", ".toml")),
        json=(FilledFile(settings, "mcp.json"), FilledFile(settings, "gemini/hooks.json")),
        advice=("Gemini CLI reads these files only in a folder that you have trusted.",),
    )


# OpenCode: one plugin file, which includes the server, the hooks and the commands; and the skill.


def _opencode_plan(place: Place) -> ConnectionPlan:
    plugin = FilledFile(f"{place.folder}/plugin/mdmem.js", "opencode/mdmem.js")
    return ConnectionPlan((plugin, *skill_in(f"{place.folder}/skill")))


# Qwen Code: server and hooks in its settings, skill and commands beside them.


def _qwen_plan(place: Place) -> ConnectionPlan:
    settings = f"{place.folder}/settings.json"
    return ConnectionPlan(
        files=(*skill_in(f"{place.folder}/skills"), *commands_in(f"{place.folder}/commands/{NAME}", ".toml")),
        json=(FilledFile(settings, "mcp.json"), FilledFile(settings, "qwen/hooks.json")),
    )


# pi: one extension, which starts the server itself, since pi has no MCP; the skill, and commands as prompts.


def _pi_plan(place: Place) -> ConnectionPlan:
    extension = FilledFile(f"{place.folder}/extensions/mdmem.ts", "pi/mdmem.ts")
    return ConnectionPlan((extension, *skill_in(f"{place.folder}/skills")))


# name, title, program, folder, the variable that sets it, folder in a project; plan for the user, for a project
CLIENTS: dict[str, LlmClient] = {
    client.name: client
    for client in (
        LlmClient(
            "claude-code",
            "Claude Code",
            "claude",
            ".claude",
            "CLAUDE_CONFIG_DIR",
            ".claude",
            _claude_for_user,
            _claude_for_project,
        ),
        LlmClient(
            "codex", "Codex", "codex", ".codex", "CODEX_HOME", ".codex", _codex_for_user, _codex_for_project
        ),
        LlmClient(
            "copilot",
            "Copilot CLI",
            "copilot",
            ".copilot",
            "COPILOT_HOME",
            ".github/copilot",
            _copilot_plan,
            _copilot_plan,
        ),
        LlmClient(
            "gemini", "Gemini CLI", "gemini", ".gemini", "", ".gemini", _gemini_for_user, _gemini_for_project
        ),
        LlmClient(
            "opencode",
            "OpenCode",
            "opencode",
            ".config/opencode",
            "OPENCODE_CONFIG_DIR",
            ".opencode",
            _opencode_plan,
            _opencode_plan,
        ),
        LlmClient("qwen", "Qwen Code", "qwen", ".qwen", "", ".qwen", _qwen_plan, _qwen_plan),
        LlmClient("pi", "pi", "pi", ".pi/agent", "PI_CODING_AGENT_DIR", ".pi", _pi_plan, _pi_plan),
    )
}
