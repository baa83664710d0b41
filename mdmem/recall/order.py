"""Recall: from a question to the memories that answer it, each with its reasons.

Two steps: `Pool` gathers candidates for each wording of the question and scores them by the weights of
`recall.score`; here they are brought into one order in which repetitions give way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mdmem.index.catalogue import Catalogue, IndexedNote, whole
from mdmem.note import passage
from mdmem.recall import question
from mdmem.recall import score as ranking
from mdmem.recall.pool import Pool, RecallContext, unwanted
from mdmem.recall.question import Question
from mdmem.recall.selection import KnownNames, listing

_DIVERSE = 3  # times as many memories as wanted are looked at for repetitions


class Hit(NamedTuple):
    """A recalled memory. `score` orders one answer and has no unit; `signals` add up to it before sinking.

    `line` (1-based, in the file) is that of the best passage and `text` the line itself; `snippet` is a piece of
    it, the words that matched between passage.OPEN and CLOSE. `found` and `missing` are the words of the
    question that the memory has and lacks. `successor` names the memory that replaces it, "" if none does.
    """

    record: IndexedNote
    score: float
    signals: Mapping[str, float]
    line: int
    text: str
    snippet: str
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    successor: str = ""


@whole
def recall(catalogue: Catalogue, texts: Sequence[str], around: RecallContext, limit: int = 10) -> list[Hit]:
    """The memories that best answer a question, best first.

    `texts` are one or more wordings of the question; a memory counts by its best, and filters and exclusions in
    any of them hold for all. With nothing else in them, the newest that pass are given; signs that are no words
    find nothing.
    """
    asked, around = _asked(catalogue, texts, around)
    if all(one.is_empty for one in asked):
        return _newest(catalogue, asked, around, limit)
    ranked = _ranked(catalogue, asked, around)[: _DIVERSE * limit]
    order = ranking.diverse([(score, pool.bag(rowid)) for rowid, pool, score in ranked], limit, _under(ranked))
    return _hits(catalogue, [ranked[at] for at in order])


@whole
def standing(
    catalogue: Catalogue, texts: Sequence[str], around: RecallContext, record: IndexedNote
) -> tuple[int, Hit] | None:
    """(rank, hit) of one memory in the answer to a question, wherever it stands.

    The rank is 1 for the best, before repetitions give way. None if the filters or exclusions of the question
    rule the memory out, or if it asks for nothing.
    """
    asked, around = _asked(catalogue, texts, around)
    ranked = _ranked(catalogue, asked, around._replace(also=(record.rowid,)))
    rank = next((at for at, (rowid, _, _) in enumerate(ranked, 1) if rowid == record.rowid), 0)
    return (rank, _hits(catalogue, [ranked[rank - 1]])[0]) if rank else None


@whole
def candidates(catalogue: Catalogue, text: str, limit: int) -> list[IndexedNote]:
    """The memories that share most words with a text, for comparing them closer."""
    asked = question.parse(text, ())
    if not asked.words:
        return []
    return catalogue.by_rowid(catalogue.search(question.match_expression(asked.words), limit))


def _asked(
    catalogue: Catalogue, texts: Sequence[str], around: RecallContext
) -> tuple[list[Question], RecallContext]:
    """The wordings with the exclusions of all of them, and the circumstances with the filters of all."""
    known = KnownNames(catalogue)
    parsed = [question.parse(text, known, around.now) for text in texts]
    typed = [condition for one in parsed for condition in one.filters]
    without = tuple(dict.fromkeys(term for one in parsed for term in one.without))
    every = around._replace(conditions=(*around.conditions, *typed))
    return [one._replace(without=without) for one in parsed], every


def _ranked(
    catalogue: Catalogue, asked: Sequence[Question], around: RecallContext
) -> list[tuple[int, Pool, float]]:
    """(row, pool it does best in, score) of every candidate, best first."""
    best: dict[int, tuple[int, Pool, float]] = {}
    for pool in (Pool(catalogue, one, around) for one in asked if one.words):
        for rowid, score in pool.scores.items():
            if rowid not in best or score > best[rowid][2]:
                best[rowid] = (rowid, pool, score)
    return sorted(best.values(), key=lambda item: (-item[2], item[1].texts[item[0]].path))


def _under(ranked: Sequence[tuple[int, Pool, float]]) -> dict[int, int]:
    """place -> place of the memory that replaces it, among those of an order."""
    places = {rowid: at for at, (rowid, _, _) in enumerate(ranked)}
    successors = {at: pool.successors.get(rowid) for at, (rowid, pool, _) in enumerate(ranked)}
    return {at: places[one.rowid] for at, one in successors.items() if one and one.rowid in places}


def _hits(catalogue: Catalogue, ranked: Sequence[tuple[int, Pool, float]]) -> list[Hit]:
    records = {record.rowid: record for record in catalogue.by_rowid([rowid for rowid, _, _ in ranked])}
    hits = []
    for rowid, pool, score in ranked:
        record, best = records[rowid], pool.passage(rowid)
        found, missing = pool.words(rowid)
        signals, line = pool.signals[rowid], record.body_line + best.line - 1
        successor = pool.successors.get(rowid)
        replaced_by = successor.name if successor else ""
        hits.append(Hit(record, score, signals, line, best.text, best.snippet, found, missing, replaced_by))
    return hits


def _newest(catalogue: Catalogue, asked: Sequence[Question], around: RecallContext, limit: int) -> list[Hit]:
    """The newest memories that filters and exclusions let pass."""
    without = unwanted(catalogue, asked[0]) if asked else set()
    records = listing(catalogue, around.conditions, newest=True, limit=limit, without=without)
    return [bare(catalogue, record) for record in records]


def bare(catalogue: Catalogue, record: IndexedNote) -> Hit:
    """A memory that was not asked for by words: its first line stands for it."""
    first = passage.best(catalogue.body(record.rowid), ())
    return Hit(record, 0.0, {}, record.body_line + first.line - 1, first.text, "")
