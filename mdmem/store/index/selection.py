"""Which memories pass the filters of a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mdmem.errors import UsageError
from mdmem.note import filters, tags
from mdmem.note.filters import Filter
from mdmem.note.memory import ARCHIVED, as_text
from mdmem.note.trust.sensitivity import Stub
from mdmem.store.index.port import MEMORIES, MEMORY, Catalogue, IndexedNote, Kinds

if TYPE_CHECKING:
    from mdmem.note.properties import Property

_VALUES = {
    "number": "write a number such as 0.7",
    "flag": "write true or false",
    "moment": "write 2026-03-01, 2026-03, yesterday or last week",
}
_DERIVED = frozenset({"name", "path", "tag", "kind"})  # names that filters may use besides properties


def each(
    catalogue: Catalogue, conditions: Iterable[Filter], kinds: Kinds = MEMORIES, *, archived: bool = True
) -> Iterator[IndexedNote]:
    """The records that pass every filter, one after the other, ordered by path.

    Archived memories are left out unless `archived` is set or a filter asks for them.
    """
    wanted = list(conditions)
    left_out = set() if archived else put_away(catalogue, wanted)
    for record in catalogue.records(kinds):
        if record.path not in left_out and passes(record, wanted):
            yield record


def put_away(catalogue: Catalogue, conditions: Iterable[Filter]) -> set[str]:
    """The paths of archived memories, which answer only if they are asked for; none if a filter asks for them."""
    if any(condition.key == ARCHIVED for condition in conditions):
        return set()
    return {path for path, _ in catalogue.with_trait(ARCHIVED)}


def stubs(catalogue: Catalogue, conditions: Iterable[Filter]) -> list[Stub]:
    """The stubs of memories one level above what the reader may see, if the filters only use a stub's fields.

    Whether a memory passes any other filter would give away what it says.
    """
    wanted = list(conditions)
    if any(condition.key not in Stub._fields for condition in wanted):
        return []
    found = catalogue.concealed.stubs
    return [stub for stub in found if all(filters.accepts(each, stub._asdict()) for each in wanted)]


def passes(record: IndexedNote, conditions: Sequence[Filter]) -> bool:
    """Whether a memory meets all conditions."""
    if not conditions:
        return True
    seen = properties(record)
    return all(filters.accepts(condition, seen) for condition in conditions)


def counts(catalogue: Catalogue, records: Iterable[IndexedNote], key: str) -> dict[str, int]:
    """How often each value of a property occurs; each item of a list counts.

    Raises UsageError, with the nearest names, for a property that no memory of the catalogue has.
    """
    _require_known(key, KnownNames(catalogue))
    counted: Counter[str] = Counter()
    for record in records:
        value = properties(record).get(key)
        items = value if isinstance(value, list | tuple) else [value]
        counted.update(text for item in items if (text := as_text(item)))
    return dict(counted)


def properties(record: IndexedNote) -> dict[str, Any]:
    """What filters see of a memory: its properties as written, and those that the index derives."""
    tagged = tags.with_parents((*record.tags, *record.inline_tags))
    of_row = {"type": record.type, "topic": record.topic, "session": record.session}
    return {
        **record.meta,
        **({} if record.kind == MEMORY else of_row),
        "name": record.name,
        "path": record.path,
        "kind": [record.kind, record.meta.get("kind", "")],
        "id": record.id,
        "title": record.title,
        "status": record.status,
        "tags": tagged,
        "tag": tagged,
        "created": record.created,
        "updated": record.updated,
    }


def understood(
    catalogue: Catalogue, conditions: Iterable[Filter], now: datetime, kinds: Kinds = MEMORIES
) -> tuple[Filter, ...]:
    """The conditions, with dates in words turned into days.

    Raises UsageError, with the nearest names, for a property that no record of those kinds has, and for a value
    that is impossible.
    """
    known, found = KnownNames(catalogue, kinds), []
    for said in conditions:
        from mdmem.note.properties import PROPERTIES

        prop = PROPERTIES.get(said.key)
        condition = filters.dated(said, now.date()) if prop and prop.kind == "moment" else said
        if not (condition.negated or condition.op in ("lacks", "!=")):
            _require_known(condition.key, known)
        if prop:
            _require_value(catalogue, condition, prop, kinds)
        found.append(condition)
    return tuple(found)


def _require_known(key: str, known: KnownNames) -> None:
    if key not in known:
        hint = _nearest(key, known.all()) or "mdmem show NAME shows the properties of a memory"
        raise UsageError(f"no memory has a property '{key}'", hint)


def _require_value(catalogue: Catalogue, condition: Filter, prop: Property, kinds: Kinds) -> None:
    if objection := filters.objection_to(condition, prop):
        raise UsageError(f"{condition.key}: '{condition.value}' {objection}", _VALUES[prop.kind])
    is_of_choices = prop.kind == "choice" and condition.op == "="
    for value in (condition.value, *condition.alternatives) if is_of_choices else ():
        if value.casefold() in prop.choices:
            continue
        written = {as_text(properties(record).get(prop.name)) for record in catalogue.records(kinds)}
        if value.casefold() not in {text.casefold() for text in written}:
            hint = _nearest(value, [*prop.choices, *written]) or "use one of " + ", ".join(prop.choices)
            raise UsageError(f"no memory has the {prop.name} '{value}'", hint)


def _nearest(text: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(text.casefold(), sorted(set(known) - {""}), n=3, cutoff=0.6)
    return "nearest: " + ", ".join(nearest) if nearest else ""


class KnownNames:
    """The names that a query may use as `name:value`: the known properties, and those that some record has."""

    def __init__(self, catalogue: Catalogue, kinds: Kinds = MEMORIES) -> None:
        self._catalogue = catalogue
        self._kinds = kinds

    def __contains__(self, key: object) -> bool:
        from mdmem.note.properties import PROPERTIES

        return key in PROPERTIES or key in _DERIVED or key in self._written

    def all(self) -> set[str]:
        """All of these names."""
        from mdmem.note.properties import PROPERTIES

        return self._written | PROPERTIES.keys() | _DERIVED

    @cached_property
    def _written(self) -> set[str]:
        return self._catalogue.property_names(self._kinds)
