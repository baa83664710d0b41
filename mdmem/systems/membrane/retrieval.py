"""Retrieves records by layer, as an agent at work needs them, and chooses among alternatives.

Working records come first, then semantic records, competences, plans and episodes; within a layer the most salient
come first. The competences and plans retrieved are alternatives to each other.

The score of an alternative is the mean of its confidence, its success rate (0.5 if unknown) and its recency,
2^(-age / 30 days). The confidence in the choice is (best - second) / best, or the score itself if there is just
one alternative. If it is below CERTAIN, more should be found out first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from mdmem.note import decay, moments
from mdmem.note.memory import as_number
from mdmem.recall import ask, validity
from mdmem.recall.ask import Query
from mdmem.recall.validity import Circumstances, Condition
from mdmem.store.index.port import IndexedNote
from mdmem.store.index.successor import GONE
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import record as records
from mdmem.systems.membrane.record import CONFIDENCE, record_type

LAYERS = ("working", "semantic", "competence", "plan_graph", "episodic")
_CHOICES = ("competence", "plan_graph")  # layers whose records are alternatives to each other
_FOUND = 200  # most matches for the words that are looked at

CERTAIN = 0.7
_UNKNOWN_RATE = 0.5
_MONTH = 30 * 86400.0  # seconds


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


class Alternative(NamedTuple):
    """One of several records to choose from: confidence and success rate are 0-1, the age is in seconds."""

    path: str
    confidence: float
    success_rate: float | None
    age: float

    @property
    def score(self) -> float:
        """The mean described above, 0-1."""
        rate = _UNKNOWN_RATE if self.success_rate is None else self.success_rate
        return float((self.confidence + rate + 2.0 ** (-self.age / _MONTH)) / 3)


class Choice(NamedTuple):
    """The alternatives, best first, the confidence in the first one (0-1), and whether it is below CERTAIN."""

    ranked: tuple[Alternative, ...]
    confidence: float
    needs_more: bool


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
        layer = record_type(record)
        salience = decay.standing(record.meta, record.created, now)
        standing = validity.standing(record.meta, around)
        scope = record.meta.get("scope")
        if (
            record.status not in GONE
            and standing.holds
            and salience >= wanted.min_salience
            and (not wanted.types or layer in wanted.types)
            and (not wanted.scopes or scope in (None, "", *wanted.scopes))
        ):
            yield RetrievedRecord(record, layer, salience, standing.reservation)


def select(vault: Vault, among: Iterable[IndexedNote], now: datetime) -> Choice:
    """Choose among records that are alternatives to each other."""
    return choose(_alternative(vault, record, now) for record in among)


def _alternative(vault: Vault, record: IndexedNote, now: datetime) -> Alternative:
    layer = record_type(record)
    is_choice = record.type in _CHOICES
    said = records.payload_of(records.read(vault.index.body(record.path), layer), layer) if is_choice else {}
    confidence = as_number(record.meta.get("confidence"))
    used = moments.parse(record.meta.get("last_reinforced_at")) or moments.parse(record.created) or now
    return Alternative(
        path=record.path,
        confidence=CONFIDENCE if confidence is None else confidence,
        success_rate=success_rate(said),
        age=max((now - used).total_seconds(), 0.0),
    )


def choose(alternatives: Iterable[Alternative]) -> Choice:
    """Choose among alternatives; equal scores are ordered by path. Without alternatives the confidence is 0."""
    ranked = tuple(sorted(alternatives, key=lambda one: (-one.score, one.path)))
    best, second, *_ = *(one.score for one in ranked), 0.0, 0.0
    lead = (best - second) / best if best else 0.0
    confidence = best if len(ranked) == 1 else lead
    return Choice(ranked, confidence, confidence < CERTAIN)


def success_rate(payload: Mapping[str, Any]) -> float | None:
    """The success rate (0-1) that a payload states, None if it states none."""
    performance, metrics = (_mapping(payload.get(name)) for name in ("performance", "metrics"))
    rate = as_number(performance.get("success_rate"))
    if rate is not None:
        return rate
    wins, losses = (as_number(performance.get(name)) or 0.0 for name in ("success_count", "failure_count"))
    if wins + losses > 0:
        return wins / (wins + losses)
    failures = as_number(metrics.get("failure_rate"))
    return None if failures is None else 1.0 - failures


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
