"""Finding memories: by words, ranked; or by their properties, listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mdmem.core import query
from mdmem.core.query import Filter
from mdmem.store.index import Hit, Record
from mdmem.store.vault import Vault

# How much a word counts where it stands: name, title, tags, headings, body.
WEIGHTS = (2.0, 2.0, 1.5, 1.5, 1.0)
_SINKS = {"deprecated": 0.3, "retracted": 0.3, "contested": 0.9}  # what remains of the score of such a memory
_POOL = 200  # candidates looked at beyond the limit, so that filters and sinking still fill it
_SNIPPET = 160


class Found(NamedTuple):
    """A recalled memory. `score` has no unit and orders one answer; `line` is that of the best passage."""

    record: Record
    score: float
    line: int
    snippet: str


def recall(vault: Vault, text: str, filters: Sequence[Filter] = (), limit: int = 10) -> list[Found]:
    """The memories that best answer a query, best first; with no words in it, the newest that pass the filters."""
    words = query.terms(text)
    if not words:
        newest = sorted(listing(vault, filters), key=lambda record: (record.created, record.path), reverse=True)
        return [Found(record, 0.0, record.body_line, "") for record in newest[:limit]]
    hits = vault.index.search(query.match_expression(words), WEIGHTS, limit + _POOL)
    ranked = [(hit.rank * _SINKS.get(hit.record.status, 1.0), hit) for hit in hits if _passes(hit.record, filters)]
    ranked.sort(key=lambda pair: (-pair[0], pair[1].record.path))
    return [_found(score, hit) for score, hit in ranked[:limit]]


def candidates(vault: Vault, text: str, limit: int) -> list[Record]:
    """The memories that share most words with a text, for comparing them closer."""
    words = query.terms(text)
    return (
        [hit.record for hit in vault.index.search(query.match_expression(words), WEIGHTS, limit)] if words else []
    )


def listing(vault: Vault, filters: Iterable[Filter]) -> list[Record]:
    """The memories that pass every filter, by path."""
    wanted = list(filters)
    return [record for record in vault.index.records() if _passes(record, wanted)]


def properties(record: Record) -> dict[str, Any]:
    """What filters see of a memory: its properties, and those derived where it has none written."""
    return {
        **record.meta,
        "name": record.name,
        "path": record.path,
        "id": record.id,
        "title": record.title,
        "status": record.status,
        "tags": list(record.tags),
        "tag": list(record.tags),
        "created": record.created,
        "updated": record.updated,
    }


def _passes(record: Record, filters: Sequence[Filter]) -> bool:
    if not filters:
        return True
    seen = properties(record)
    return all(query.accepts(condition, seen) for condition in filters)


def _found(score: float, hit: Hit) -> Found:
    """Where in the note the most query words stand, and those lines."""
    lines = hit.marked.split("\n")
    best = max(range(len(lines)), key=lambda at: (lines[at].count("\x02"), -at))
    if "\x02" not in lines[best]:
        best = next((at for at, line in enumerate(lines) if line.strip()), 0)
    return Found(hit.record, score, hit.record.body_line + best, _snippet(lines[best].strip()))


def _snippet(line: str) -> str:
    """The line, cut to what surrounds its first mark."""
    if len(line) <= _SNIPPET:
        return line
    start = max(0, line.find("\x02") - _SNIPPET // 3)
    part = line[start : start + _SNIPPET]
    return ("… " if start else "") + part + (" …" if start + _SNIPPET < len(line) else "")
