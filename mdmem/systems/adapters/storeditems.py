"""JSON items in namespaces, as in LangGraph's stores, over a folder of a vault; the conditions of a search."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from posixpath import join
from typing import Any, NamedTuple

from mdmem.errors import ConflictError, UsageError
from mdmem.note import moments
from mdmem.note.filters import Filter
from mdmem.recall.ask import Query, ask
from mdmem.store import layout
from mdmem.store.index.port import MEMORIES, IndexedNote
from mdmem.store.local import files
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.systems.adapters import access, itemnotes
from mdmem.write import edit, guard, remember

_ORDERED: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_ANY = "*"


def meets(value: Mapping[str, Any], conditions: Mapping[str, Any]) -> bool:
    """Whether the fields of a value meet the `conditions`: they are equal, or as `{"$gte": 3}` and the like say.

    Numbers, and strings of numbers, compare as numbers, other strings as strings; a missing field is neither less
    nor greater than anything. Raises UsageError for an unknown operator.
    """
    return all(_is_so(value.get(name), wanted) for name, wanted in conditions.items())


def _is_so(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_compares(given, name, limit) for name, limit in wanted.items())
        return isinstance(given, Mapping) and meets(given, wanted)
    if isinstance(wanted, list | tuple):
        is_as_long = isinstance(given, list | tuple) and len(given) == len(wanted)
        return is_as_long and all(map(_is_so, given, wanted))
    return bool(given == wanted)


def _compares(given: Any, name: str, limit: Any) -> bool:
    if name in ("$eq", "$ne"):
        return (given == limit) is (name == "$eq")
    if name not in _ORDERED:
        raise UsageError(f"{name} is not an operator of a filter", f"use $eq, $ne, {', '.join(_ORDERED)}")
    numbers = _number(given), _number(limit)
    if None not in numbers:
        return _ORDERED[name](*numbers)
    return isinstance(given, str) and isinstance(limit, str) and _ORDERED[name](given, limit)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def begins(namespace: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a namespace begins with a path, in which `*` stands for any label."""
    return len(namespace) >= len(path) and all(
        wanted in (_ANY, label) for label, wanted in zip(namespace, path, strict=False)
    )


def ends(namespace: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a namespace ends with a path, in which `*` stands for any label."""
    return begins(namespace[::-1], path[::-1])


# -- the items -----------------------------------------------------------------------------------------------

_MOST_FOUND = 100  # items that a query finds at most; the others follow without a score
_SYNTAX = re.compile(r'[":]|(?<!\w)-')  # query syntax, which an agent does not mean by these characters

Namespace = tuple[str, ...]


class StoredItem(NamedTuple):
    """One item. `score` orders what a query found, and is None for other items."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    score: float | None = None


class _ItemPlace(NamedTuple):
    """The name of an item, and the row of its note in the index."""

    namespace: Namespace
    key: str
    record: IndexedNote


class StoredItems:
    """The items below `folder` of the vault, for the caller `who`; each is a note (`itemnotes`)."""

    def __init__(self, vault: Vault, folder: str, who: Caller) -> None:
        """Raises UsageError for a folder that is not one of memories."""
        self._vault = vault
        self._who = who
        self._folder = access.folder_of_memories(vault, folder, layout.ITEMS)

    # -- reading -------------------------------------------------------------------------------------------

    def get(self, namespace: Sequence[str], key: str) -> StoredItem | None:
        """The item with this name; None if there is none that the reader may see."""
        record = self._vault.index.record(self._path(namespace, key))
        return self._item(_ItemPlace(tuple(namespace), key, record)) if record else None

    def search(
        self, prefix: Namespace, wanted: Mapping[str, Any] | None, query: str | None
    ) -> Iterator[StoredItem]:
        """The items of namespaces that begin with `prefix` and meet the conditions.

        Those that recall finds for a query come first, best first, with their scores; the others follow, the
        latest changed first. An item that a person broke is left out and reported. Raises UsageError for an
        unknown condition.
        """
        places = [place for place in self._places() if place.namespace[: len(prefix)] == prefix]
        places.sort(key=lambda place: (place.namespace, place.key))
        places.sort(key=lambda place: place.record.updated, reverse=True)
        scores = self._scores(query) if query else {}
        places.sort(key=lambda place: -scores.get(place.record.path, float("-inf")))
        for place in places:
            try:
                item = self._item(place)
            except UsageError as error:
                self._vault.tell(f"left out: {error.line}")
                continue
            if meets(item.value, wanted or {}):
                yield item._replace(score=scores.get(place.record.path))

    def namespaces(self) -> list[Namespace]:
        """The namespaces that hold items, sorted."""
        return sorted({place.namespace for place in self._places()})

    def _scores(self, query: str) -> dict[str, float]:
        """path -> score of the memories that recall finds for a query."""
        words = _SYNTAX.sub(" ", query)
        below = Filter("path", "~", f"{self._folder}/")
        asked = Query((words,), (below,), limit=_MOST_FOUND, kinds=MEMORIES)
        answers = ask(self._vault, asked, self._who.now, self._who.session)
        hits = [each for answer in answers for each in (answer.hit, *answer.hit.same)]
        return {hit.record.path: hit.score for hit in hits}

    def _places(self) -> Iterator[_ItemPlace]:
        vault = self._vault
        top = files.locate(vault.root, self._folder)
        names = {}
        for path in files.walk(top, _unlisted):
            if name := itemnotes.name_of(path):
                names[join(self._folder, path)] = name
        for record in vault.index.records_at(list(names)):
            yield _ItemPlace(*names[record.path], record)

    def _item(self, place: _ItemPlace) -> StoredItem:
        namespace, key, record = place
        value = itemnotes.value_of(record.meta, self._vault.index.body(record.path), record.path)
        return StoredItem(namespace, key, value, _time(record.created), _time(record.updated))

    def _path(self, namespace: Sequence[str], key: str) -> str:
        path = join(self._folder, itemnotes.path_of(namespace, key))
        files.locate(self._vault.root, path)  # refuses what no file can be called, before the change
        return path

    # -- writing -------------------------------------------------------------------------------------------

    def write(self, values: Mapping[tuple[Namespace, str], Any]) -> None:
        """Store the value of each item, or delete the item if it is None, in one commit.

        Raises UsageError for a value that is not JSON and for a name that is too long, ConflictError for an item
        that exists but that the reader may not see, StoppedError for a secret in a value or a name, and for a note
        that may not be deleted.
        """
        staged: dict[str, Any] = {}
        for (namespace, key), value in values.items():
            path = self._path(namespace, key)
            staged[path] = None if value is None else itemnotes.checked(value)
            if value is not None and not self._vault.index.record(path):
                guard.refuse_in_name("\n".join([*namespace, key]), self._who)
        with self._vault.change(self._who.does("revise")) as tx:
            kept = [path for path, value in staged.items() if value is not None]
            action = "revise" if all(map(tx.exists, kept)) else "create"
            for path, value in staged.items():
                if value is None:
                    self._delete(tx, path)
                else:
                    self._keep(tx, path, value)
            tx.operation = tx.operation._replace(action=action if kept else "delete")

    def _keep(self, tx: Transaction, path: str, value: dict[str, Any]) -> None:
        before = tx.read(path)
        if before is None:
            usual = remember.usual_properties({}, moments.render(self._who.now), self._who)
            tx.write(path, itemnotes.note_of(value, path, usual, self._vault.config.id))
            return
        if access.is_hidden(self._vault, path):
            raise ConflictError(f"there is a memory at {path} that you may not see", "choose another key")
        tx.write(path, itemnotes.edited(before, value, path, self._vault.config.id))

    def _delete(self, tx: Transaction, path: str) -> None:
        data = tx.read(path)
        if data is None or access.is_hidden(self._vault, path):
            return
        note = self._vault.parse(data, path)
        edit.require_deletable(note.name, note.meta)
        tx.delete(path)


def _time(text: str) -> datetime:
    return moments.parse(text) or datetime.fromtimestamp(0, UTC)


def _unlisted(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):  # nothing was written yet
        raise error
