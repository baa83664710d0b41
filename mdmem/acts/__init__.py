"""What mdmem does: one function for each thing, with its command, tool, route, Python call and JSON made from it.

An act takes what it works on, who asks, and parameters that say what they are for (see `signature`). It returns a
plain value with named fields, which knows its lines for a person; `telling` makes JSON of it.

    from mdmem import acts

    acts.undo(vault, who, last=1)
"""

from typing import Any

from mdmem.note import tsv

# kind -> group or verb, "" for none -> name -> module and function; a module is loaded when its act is asked for
_PLACES: dict[str, dict[str, dict[str, str]]] = {}
for _kind, _of, _name, _place in tsv.rows(__file__, "acts.tsv", 4):
    _PLACES.setdefault(_kind, {}).setdefault(_of, {})[_name] = _place
TABLE, GROUPS, FORMS = _PLACES["act"][""], _PLACES["group"], _PLACES["form"]

# acts that programs may call over HTTP, and of these the ones that write
READING = "recall list show lineage log diff blame trash topics facts".split()
WRITING = "remember update done adopt rename forget restore undo".split()


def __getattr__(name: str) -> Any:
    if name not in TABLE:
        raise AttributeError(f"there is no act {name!r}")
    return act_at(TABLE[name])


def module_at(name: str) -> Any:
    """A module of acts."""
    from importlib import import_module  # hooks load this package, and no importlib

    return import_module(f"mdmem.acts.{name}")


def act_at(place: str) -> Any:
    """The act of a place, such as `work.list_`."""
    module, _, name = place.partition(".")
    return getattr(module_at(module), name)
