"""Retrieves records by layer, as an agent at work needs them, and chooses among alternatives.

Working records come first, then semantic records, competences, plans and episodes; within a layer the most salient
come first. The competences and plans retrieved are alternatives to each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from mdmem.note import decay, moments
from mdmem.note.memory import as_number
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.recall import ask, validity
from mdmem.recall.ask import Query
from mdmem.recall.validity import Circumstances, Condition
from mdmem.store.index.port import IndexedNote
from mdmem.store.index.successor import GONE
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import payload, selecting
from mdmem.systems.membrane.record import CONFIDENCE
from mdmem.systems.membrane.selecting import Alternative, Choice

LAYERS = ("working", "semantic", "competence", "plan_graph", "episodic")
_CHOICES = ("competence", "plan_graph")  # layers whose records are alternatives to each other
_FOUND = 200  # most matches for the words that are looked at


class RecordRequest(NamedTuple):
    """Which records to retrieve; "" and () mean no restriction.

    `scopes` allow records of these scopes and of none. `min_salience` is from 0. `at` (UTC) is the time at which
    the records must be valid, None for now.
    """

    words: str = ""
    types: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    min_salience: float = 0.0
    limit: int = 10
    at: datetime | None = None
    given: tuple[Condition, ...] = ()


class RetrievedRecord(NamedTuple):
    """A record with its layer, its effective salience (0 up), and a reservation about it ("" for none)."""

    record: IndexedNote
    layer: str
    salience: float
    reservation: str = ""


class Retrieval(NamedTuple):
    """The records retrieved, in order; `choice` is None if there is nothing to choose from."""

    records: tuple[RetrievedRecord, ...]
    choice: Choice | None


def retrieve(vault: Vault, wanted: RecordRequest, who: Caller) -> Retrieval:
    """The valid records that match, by layer and then by salience. Their use is counted.

    Raises UsageError for words that recall does not understand.
    """
    fitting = list(_fitting(_candidates(vault, wanted, who), wanted, who.now))
    fitting.sort(key=lambda each: (LAYERS.index(each.layer), -each.salience, each.record.path))
    chosen = fitting[: wanted.limit]
    ask.count_use(vault, ask.about(vault, [each.record for each in chosen]), who.now, who.session)
    among = [each.record for each in chosen if each.layer in _CHOICES]
    return Retrieval(tuple(chosen), select(vault, among, who.now) if among else None)


def _candidates(vault: Vault, wanted: RecordRequest, who: Caller) -> Iterable[IndexedNote]:
    if not wanted.words.strip():
        return vault.index.records()
    answers = ask.ask(vault, Query((wanted.words,), limit=_FOUND), who.now, counted=False)
    return [answer.hit.record for answer in answers if vault.index.record(answer.hit.record.path)]


def _fitting(records: Iterable[IndexedNote], wanted: RecordRequest, now: datetime) -> Iterator[RetrievedRecord]:
    around = Circumstances(wanted.at or now, wanted.given)
    for record in records:
        layer = RECORD_TYPES_OF.get(record.type, "semantic")
        salience = decay.standing(record.meta, record.created, now)
        standing = validity.standing(record.meta, around)
        if (
            record.status not in GONE
            and standing.holds
            and salience >= wanted.min_salience
            and (not wanted.types or layer in wanted.types)
            and _is_in_scope(record, wanted.scopes)
        ):
            yield RetrievedRecord(record, layer, salience, standing.reservation)


def _is_in_scope(record: IndexedNote, scopes: Sequence[str]) -> bool:
    scope = record.meta.get("scope")
    return not scopes or scope in (None, "") or scope in scopes


def select(vault: Vault, records: Iterable[IndexedNote], now: datetime) -> Choice:
    """Choose among records that are alternatives to each other."""
    return selecting.choose(_alternative(vault, record, now) for record in records)


def _alternative(vault: Vault, record: IndexedNote, now: datetime) -> Alternative:
    layer = RECORD_TYPES_OF.get(record.type, "semantic")
    said = {}
    if record.type in _CHOICES:
        said = payload.payload_of(payload.read(vault.index.body(record.path), layer), layer)
    confidence = as_number(record.meta.get("confidence"))
    used = moments.parse(record.meta.get("last_reinforced_at")) or moments.parse(record.created) or now
    return Alternative(
        path=record.path,
        confidence=CONFIDENCE if confidence is None else confidence,
        success_rate=selecting.success_rate(said),
        age=max((now - used).total_seconds(), 0.0),
    )
