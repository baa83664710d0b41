"""Which memories pass the filters of a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from mdmem.index.port import IndexedNote, Records
from mdmem.note import filters, tags
from mdmem.note.filters import Filter
from mdmem.note.memory import as_text
from mdmem.note.properties import PROPERTIES

_DERIVED = frozenset({"name", "path", "tag"})  # what filters may ask besides properties


def listing(
    catalogue: Records,
    conditions: Iterable[Filter],
    newest: bool = False,
    limit: int | None = None,
    without: Container[str] = (),
) -> list[IndexedNote]:
    """The memories that pass every filter, by path or the newest first; those at the paths `without` left out."""
    wanted = list(conditions)
    records = catalogue.newest() if newest else catalogue.records()
    passing = (record for record in records if record.path not in without and passes(record, wanted))
    return list(islice(passing, limit))


def passes(record: IndexedNote, conditions: Sequence[Filter]) -> bool:
    """Whether a memory meets all conditions."""
    if not conditions:
        return True
    seen = properties(record)
    return all(filters.accepts(condition, seen) for condition in conditions)


def counts(records: Iterable[IndexedNote], key: str) -> dict[str, int]:
    """How often each value of a property occurs; each item of a list counts."""
    counted: Counter[str] = Counter()
    for record in records:
        value = properties(record).get(key)
        items = value if isinstance(value, list | tuple) else [value]
        counted.update(text for item in items if (text := as_text(item)))
    return dict(counted)


def properties(record: IndexedNote) -> dict[str, Any]:
    """What filters see of a memory: its properties, and those derived where it has none written."""
    tagged = tags.with_parents((*record.tags, *record.inline_tags))
    return {
        **record.meta,
        "name": record.name,
        "path": record.path,
        "id": record.id,
        "title": record.title,
        "status": record.status,
        "tags": tagged,
        "tag": tagged,
        "created": record.created,
        "updated": record.updated,
    }


class KnownNames:
    """The names that a query may use as `name:value`: known properties, and those that some memory has."""

    def __init__(self, catalogue: Records) -> None:
        self._catalogue = catalogue

    def __contains__(self, key: object) -> bool:
        return key in PROPERTIES or key in _DERIVED or key in self._written

    @cached_property
    def _written(self) -> set[str]:
        return self._catalogue.property_names()
