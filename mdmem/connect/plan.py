"""The plan for connecting a client, as plain values: files to write, lines to add, commands to run.

Every text comes from a template in `files/`. Nothing here touches a disk; `connecting` carries a plan out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

NAME = "mdmem"  # of the MCP server, the plugin and the extension, in every client


class Place(NamedTuple):
    """Where a client is connected, all paths absolute.

    `folder` is the client's own folder: in the home of the user, or within `project` ("" in user mode).
    `ours` is mdmem's folder for what a client only refers to.
    """

    folder: str
    project: str
    ours: str


class FilledFile(NamedTuple):
    """A file, and the template of what mdmem writes into it: see ConnectionPlan."""

    path: str
    template: str


class Registration(NamedTuple):
    """Commands of the client, without its program, that register a folder with it and remove it again.

    `kept_in` is the file in which the client records this, and `mark` a text that the file then has; `makes` are
    files that the client makes for it, in folders that it leaves behind.
    """

    add: tuple[tuple[str, ...], ...]
    remove: tuple[tuple[str, ...], ...]
    kept_in: str
    mark: str
    makes: tuple[str, ...] = ()


class ConnectionPlan(NamedTuple):
    """Everything that connects one client.

    `files` are mdmem's alone, and deleted when the client is disconnected. In the JSON files of the user objects
    are merged and lists extended; a TOML file gets a block of tables at its end. `advice` is what the user still
    has to do, a sentence each.
    """

    files: tuple[FilledFile, ...] = ()
    json: tuple[FilledFile, ...] = ()
    toml: tuple[FilledFile, ...] = ()
    registration: Registration | None = None
    advice: tuple[str, ...] = ()


class LlmClient(NamedTuple):
    """An LLM client: the program that starts it, and where its settings are.

    `folder` is relative to the home of the user, unless the variable `folder_set_by` names another one.
    `project_folder` is the folder of its settings within a project.
    """

    name: str
    title: str
    program: str
    folder: str
    folder_set_by: str
    project_folder: str
    for_user: Callable[[Place], ConnectionPlan]
    for_project: Callable[[Place], ConnectionPlan]

    def home(self, environment: Mapping[str, str], user_home: str) -> str:
        """The folder of its settings for this user."""
        chosen = environment.get(self.folder_set_by, "") if self.folder_set_by else ""
        return chosen or f"{user_home}/{self.folder}"


def commands_in(folder: str, suffix: str = ".md") -> tuple[FilledFile, ...]:
    """The slash commands, each a file in a folder of the client."""
    kind = suffix.removeprefix(".")
    return tuple(FilledFile(f"{folder}/{name}{suffix}", f"commands/{name}.{kind}") for name in COMMANDS)


def skill_in(folder: str) -> tuple[FilledFile, ...]:
    """The skill `memory`, in a folder of skills."""
    return (FilledFile(f"{folder}/memory/SKILL.md", SKILL),)


COMMANDS = ("recall", "review", "undo")
SERVER = "plugin/mcp.json"
SKILL = "skill/SKILL.md"  # its template


def plugin_in(folder: str, server: str = SERVER) -> tuple[FilledFile, ...]:
    """The plugin that Claude Code, Codex and Copilot all accept: server, hooks, skill and commands.

    `server` is the template of its `.mcp.json`.
    """
    return (
        FilledFile(f"{folder}/.claude-plugin/plugin.json", "plugin/plugin.json"),
        FilledFile(f"{folder}/.mcp.json", server),
        FilledFile(f"{folder}/hooks/hooks.json", "plugin/hooks.json"),
        FilledFile(f"{folder}/README.md", "plugin/README.md"),
        *skill_in(f"{folder}/skills"),
        *commands_in(f"{folder}/commands"),
    )


def marketplace_in(folder: str, server: str = SERVER) -> tuple[FilledFile, ...]:
    """A marketplace that has only that plugin, for clients that install plugins from one."""
    manifest = FilledFile(f"{folder}/.claude-plugin/marketplace.json", "plugin/marketplace.json")
    return (manifest, *plugin_in(f"{folder}/{NAME}", server))
