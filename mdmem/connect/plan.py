"""The clients that mdmem can connect, and the plan for one: files to write, lines to add, commands to run.

The table of clients is `data/clients.json`, and every text comes from a template in `files/`. `connecting` carries
a plan out. What a client's own commands do besides, so that they are not used: `claude plugin install` sorts the
user's settings, `copilot plugin install` drops their comments, `gemini extensions link` trusts the current folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple


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
    """Everything that connects one client: paths, each with the template of what mdmem writes there.

    `files` are mdmem's alone, and deleted when the client is disconnected. `settings` are files of the user, each
    with templates of what is added: JSON objects are merged and lists extended, a TOML file gets a block of tables
    at its end. `advice` is what the user still has to do, a sentence each.
    """

    files: Mapping[str, str]
    settings: Mapping[str, tuple[str, ...]]
    registration: Registration | None = None
    advice: tuple[str, ...] = ()


class LlmClient(NamedTuple):
    """An LLM client as `data/clients.json` has it: its program, and where its settings are.

    `folder` is relative to the home of the user, unless the variable `folder_set_by` names another one; systems
    may have folders of their own, by `sys.platform`. `project_folder` is the folder of its settings within a
    project, "" if it has none. `user` and `project` are plans, `project` {} if it is the same.
    """

    name: str
    title: str
    program: str
    folder: str | Mapping[str, str]
    project_folder: str
    user: Mapping[str, Any]
    project: Mapping[str, Any] = MappingProxyType({})
    folder_set_by: str = ""

    def home(self, environment: Mapping[str, str], user_home: str, system: str) -> str:
        """The folder of its settings for this user, on a system of `sys.platform`."""
        chosen = environment.get(self.folder_set_by, "") if self.folder_set_by else ""
        known = self.folder if isinstance(self.folder, str) else self.folder.get(system, self.folder[""])
        return chosen or f"{user_home}/{known}"

    def plan(self, folder: str, project: str, ours: str) -> ConnectionPlan:
        """The plan that connects it, by absolute paths.

        `folder` is the client's own: in the home of the user, or within `project` ("" in user mode); `ours` is
        mdmem's folder for what a client only refers to.
        """
        place = {"folder": folder, "project": project, "ours": ours}
        given = _filled((project and self.project) or self.user, place)
        registered = given.get("registration")
        return ConnectionPlan(
            dict(_files(given.get("files", {}))),
            given.get("settings", {}),
            Registration(**registered) if registered else None,
            given.get("advice", ()),
        )


def _files(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(path, template) of each file, those of groups included."""
    for path, template in given.items():
        if template in GROUPS:
            yield from _files({f"{path}/{name}": inner for name, inner in GROUPS[template].items()})
        else:
            yield path, template


def _filled(value: Any, place: Mapping[str, str]) -> Any:
    """A value of the table with its paths filled in."""
    if isinstance(value, dict):
        return {_filled(key, place): _filled(item, place) for key, item in value.items()}
    if isinstance(value, str):
        return value.format(**place)
    return tuple(_filled(item, place) for item in value)


_TABLE = json.loads(resources.files("mdmem.connect").joinpath("data", "clients.json").read_text("utf-8"))
GROUPS: Mapping[str, Mapping[str, str]] = _TABLE["groups"]  # files that several clients take, below any folder
CLIENTS = {name: LlmClient(name, **client) for name, client in _TABLE["clients"].items()}
COMMANDS = ("recall", "review", "undo")
SKILL = "skill/SKILL.md"  # its template
