"""What mdmem does: one function for each thing, with its command, tool, route, Python call and JSON made from it.

An act takes what it works on, who asks, and parameters that say what they are for (see `signature`). It returns a
plain value with named fields, which knows its lines for a person; `telling` makes JSON of it.

    from mdmem import acts

    acts.undo(vault, who, last=1)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# act -> the module that it is in, which is loaded when the act is asked for
TABLE = {
    "recall": "find",
    **dict.fromkeys(("list", "show", "lineage"), "look"),
    **dict.fromkeys(("undo", "log", "diff", "blame", "trash", "restore"), "past"),
    **dict.fromkeys(("update", "done", "adopt", "rename", "forget"), "write"),
    **dict.fromkeys(("remember", "edit"), "noting"),
    **dict.fromkeys("doctor rebuild trust layout mirror remote eval topics facts waiting".split(), "upkeep"),
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


def __getattr__(name: str) -> Any:
    if name not in TABLE:
        raise AttributeError(f"there is no act {name!r}")
    return act_at(f"{TABLE[name]}.{name}")


def act_at(place: str) -> Any:
    """The act of a place, such as `work.list`."""
    module, _, name = place.partition(".")
    return act_of(import_module(f"mdmem.acts.{module}"), name)


def act_of(module: Any, name: str) -> Any:
    """The act of a module; `list_` is the act `list`."""
    return getattr(module, name, None) or getattr(module, f"{name}_")
