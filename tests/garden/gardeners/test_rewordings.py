"""The gardeners on pairs of notes in free words (tests/garden/rewordings.py), all in one vault."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache

import pytest

from mdmem.garden.gardeners import conflicts, note, twins
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.note import fields, memory
from tests.garden.rewordings import PAIRS

_FIRST = datetime(2025, 1, 3, 9, tzinfo=UTC)
_APART = timedelta(days=240)  # between the older and the newer note of a pair


@cache
def vault() -> list[Note]:
    """The older note of pair 7 is `n007a`, the newer one `n007b`."""
    notes = []
    for number, (_, older, newer, tag) in enumerate(PAIRS):
        created = _FIRST + timedelta(days=37 * number % 200)
        notes += [
            _made(f"n{number:03}a", older, tag, created),
            _made(f"n{number:03}b", newer, tag, created + _APART),
        ]
    return notes


def _made(name: str, text: str, tag: str, created: datetime) -> Note:
    path = f"allmemories/{name}.md"
    title = " ".join(text.split()[:7]).rstrip(".")
    meta = {"id": memory.derived_id(path), "title": title, "created": f"{created:%Y-%m-%dT%H:%M:%SZ}"}
    data = fields.set_body(memory.render(meta | ({"tags": [tag]} if tag else {}), ""), f"{text}\n", path)
    return note.read(memory.parse(data, path), data)


@cache
def found(kind: str) -> dict[tuple[str, str], float]:
    """The pairs of names that a gardener finds, the older one first, and how sure it is."""
    if kind == "twin":
        return {(one.older.name, one.newer.name): one.sure for one in twins.pairs(vault())}
    return {(one.older.name, one.newer.name): one.sure for one in conflicts.clashes(Ground(vault()), vault())}


# At a confidence: how many other pairs may be taken for one, and how many must be found.
EXPECTED = [("twin", 0.8, 0, 9), ("twin", 0.5, 0, 18), ("conflict", 0.8, 0, 21), ("conflict", 0.5, 11, 29)]


@pytest.mark.parametrize(("kind", "least", "most_wrong", "least_right"), EXPECTED)
def test_what_a_careful_reader_says_is_found(kind: str, least: float, most_wrong: int, least_right: int) -> None:
    wanted = {(f"n{at:03}a", f"n{at:03}b") for at, (said, *_) in enumerate(PAIRS) if said == kind}
    taken = {names for names, sure in found(kind).items() if sure >= least}
    assert len(taken - wanted) <= most_wrong, sorted(taken - wanted)
    assert len(taken & wanted) >= least_right, sorted(wanted - taken)
