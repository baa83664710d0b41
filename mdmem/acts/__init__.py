"""What mdmem does: one function for each thing, with its command, tool, route, Python call and JSON made from it.

An act takes what it works on, who asks, and parameters that say what they are for (see `signature`). It returns a
plain value with named fields, which knows its lines for a person; `telling` makes JSON of it.

    from mdmem import acts

    acts.undo(vault, who, last=1)
"""

from __future__ import annotations

from typing import Any

# act -> the module that it is in, which is loaded when the act is asked for; no module is called like an act
TABLE = {
    "recall": "find",
    **dict.fromkeys(("list", "show", "lineage"), "look"),
    **dict.fromkeys(("undo", "log", "diff", "blame", "trash", "restore"), "past"),
    **dict.fromkeys(("update", "done", "adopt", "rename", "forget"), "write"),
    **dict.fromkeys(("remember", "edit"), "noting"),
    **dict.fromkeys("doctor rebuild trust layout mirror eval topics facts".split(), "upkeep"),
    **dict.fromkeys(("waiting", "judge"), "judging"),
    **dict.fromkeys(("capture", "ingest"), "chats"),
    **dict.fromkeys(("import", "export"), "exchange"),
    **dict.fromkeys(("connect", "disconnect"), "clients"),
    **dict.fromkeys(("sync", "remote"), "remotes"),
    **dict.fromkeys(("team", "publish"), "publishing"),
    **dict.fromkeys(("init", "status", "hooks"), "setup"),
    **{"purge": "erasing", "garden": "gardening", "guide": "manual", "vaults": "vaultlists"},
}

# acts that are another function for a person at a terminal, who has an editor and is asked
TYPED = {"remember": "remembering.remember", "edit": "write.edit"}

# group of acts -> those in its module, which has its name unless it is an act itself
GROUPS = {
    "session": ("start", "note", "end"),
    "garden": ("apply",),
    "candidates": ("import", "render"),
    "agents": ("refresh",),
    "record": tuple("add supersede fork merge retract contest select reinforce penalize pin prune".split()),
    "work": ("add", "link", "chapters", "wisdom", "archive", "before"),
    "team": ("init", "grant", "drop"),
    "vaults": ("add", "remove"),
}

# verb -> form -> the act that does it with memories read in that form, with what only they have
FORMS = {
    "list": {"record": "record.list", "work": "work.list", "chapter": "work.list_chapters"},
    "show": {"record": "record.show", "work": "work.show", "chapter": "work.show_chapter"},
    "recall": {"record": "record.retrieve", "work": "work.recall"},
    "doctor": {"record": "record.check"},
}

# acts that programs may call over HTTP, and of these the ones that write
READING = ("recall", "list", "show", "lineage", "log", "diff", "blame", "trash", "topics", "facts")
WRITING = ("remember", "edit", "update", "done", "adopt", "rename", "forget", "restore", "undo")


def in_group(group: str, name: str) -> Any:
    """An act of a group."""
    return act_at(f"{TABLE.get(group, group)}.{name}")


def __getattr__(name: str) -> Any:
    if name not in TABLE:
        raise AttributeError(f"there is no act {name!r}")
    return act_at(f"{TABLE[name]}.{name}")


def typed(name: str) -> Any:
    """The act of a command."""
    return act_at(TYPED[name]) if name in TYPED else __getattr__(name)


def module_at(name: str) -> Any:
    """A module of acts."""
    from importlib import import_module  # hooks load this package, and no importlib

    return import_module(f"mdmem.acts.{name}")


def act_at(place: str) -> Any:
    """The act of a place, such as `work.list`; `list_` is the act `list`."""
    module, _, name = place.partition(".")
    found = module_at(module)
    return getattr(found, name, None) or getattr(found, f"{name}_")
