"""What a form sends, as the arguments of an act, and the page to show when it is done."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mdmem import acts
from mdmem.acts.pages.request import Destination
from mdmem.acts.signature import parameters
from mdmem.acts.telling import encode
from mdmem.errors import MdmemError

Sent = Mapping[str, Sequence[str]]
OWN = {"once", "page", "key"}  # fields of a form that are not arguments
_OF_TERMINALS = re.compile(r"^mdmem |(?<!\S)--\w|\bpipe\b")
_KEPT = 500  # forms that are remembered


def given(act: str, sent: Sent) -> dict[str, Any]:
    """The arguments of an act, of a form or an address; the field `set.title` is the item `title` of `set`."""
    kinds = {one.name: one.kind for one in parameters(getattr(acts, act))}
    found: dict[str, Any] = {}
    for field, values in sent.items():
        name, _, item = field.partition(".")
        if item:
            parts = [part.strip() for value in values for part in value.split(",") if part.strip()]
            found.setdefault(name, {})[item] = parts if kinds.get(name) == "items" else values[-1].strip() or None
        elif values[-1]:
            found[name] = list(values) if kinds.get(name) == "texts" else values[-1]
    return found


def after(act: str, done: Any, sent: Sent) -> Destination:
    """The page that a form asks for, else that of the memory that was changed, with the commit as `done`."""
    page, key = (sent.get(name, [""])[-1] for name in ("page", "key"))
    told = encode(done)
    path = told.get("path") or next(iter(told.get("paths", ())), "")
    if not page:
        page, key = ("memories", "") if act in ("adopt", "forget", "undo") or not path else ("memory", path)
    return Destination(page, key, {"done": done.commit})


def trouble(error: MdmemError) -> str:
    """Why a form could not be done, and what to do about it."""
    return "; ".join(filter(None, [error.message, shown(error.hint)]))


def shown(hint: str) -> str:
    """What to do, unless that is for a terminal."""
    return "" if _OF_TERMINALS.search(hint) else hint


class Once:
    """Answers a form that is sent twice, as by a double click, as it was answered the first time."""

    def __init__(self) -> None:
        self._answered: OrderedDict[bytes, str] = OrderedDict()

    def answer(self, path: str, sent: Sent, act: Callable[[], str]) -> str:
        """The address that `act` gave to this form; a form without the field `once` is never the same."""
        mark = hashlib.sha256(repr((path, sorted(sent.items()))).encode("utf-8", "replace")).digest()
        if "once" in sent and mark in self._answered:
            return self._answered[mark]
        address = act()
        self._answered[mark] = address
        if len(self._answered) > _KEPT:
            self._answered.popitem(last=False)
        return address
