"""Recall: from a question to the memories that answer it, each with its reasons.

Two steps: `Pool` gathers candidates for each wording of the question and scores them by the weights of
`recall.score`; this module puts them into one order, in which repetitions move down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from mdmem.note import excerpt, filters, segment
from mdmem.note.filters import Filter
from mdmem.note.memory import is_of_another, project_of
from mdmem.recall import question
from mdmem.recall.gather import RecallContext, put_away, ruled_out
from mdmem.recall.pool import Hit, Pool
from mdmem.recall.question import Question
from mdmem.recall.score import EVIDENCE
from mdmem.store.index.port import MEMORY, Catalogue, IndexedNote, retried_as_one
from mdmem.store.index.selection import KnownNames, understood

_DIVERSE = 3  # times as many memories as wanted are checked for repetitions
_ELSEWHERE = 0.4  # of the best score: what a memory of another project than the reader's is lowered by
_COMPARED = 120  # best candidates among which those that say the same are sought
_FALL = 0.8  # of the best score: what has lost more is no part of an answer of more than so many hits:
_SHORT = 3
_NEAR = 0.1  # coverage of a hit for no more than its meaning, below which any note may be: half of its cosine


class _Candidate(NamedTuple):
    """A path, with the pool of the wording that scores it best; `same` are other candidates that say the same."""

    path: str
    pool: Pool
    score: float
    same: tuple[_Candidate, ...] = ()


class Ranking(NamedTuple):
    """The rank of one memory (1 is best) among all candidates of an answer, and the hit that explains it."""

    rank: int
    hit: Hit


@retried_as_one
def recall(catalogue: Catalogue, texts: Sequence[str], context: RecallContext, limit: int = 10) -> list[Hit]:
    """The memories that best answer a question, best first.

    `texts` are one or more wordings of the question. A memory counts as the wording puts it that puts it highest;
    filters and exclusions in any of them hold for all. If there is nothing else in them, the newest that pass are
    returned; characters that make no word find nothing.
    """
    wordings, context = _parsed(catalogue, texts, context)
    if all(wording.is_empty for wording in wordings):
        return _newest(catalogue, wordings, context, limit)
    ranked = _each_told_once(catalogue, _ranked(catalogue, wordings, context), _DIVERSE * limit)
    if context.project or context.aside:
        ranked = _own_first(catalogue, ranked, wordings, context)
    scored = [(candidate.score, candidate.pool.bag(candidate.path)) for candidate in ranked]
    order = diverse(scored, limit, _after_successors(ranked))
    hits = _hits(catalogue, [ranked[at] for at in order])
    best = max((hit.score for hit in hits), default=0.0)
    is_by_meaning = all(EVIDENCE.intersection(hit.signals) == {"meaning"} for hit in hits)
    least, near = best - _FALL * abs(best), _NEAR if is_by_meaning else 0.0
    return [hit for at, hit in enumerate(hits) if at < _SHORT or (hit.score >= least and hit.coverage >= near)]


@retried_as_one
def rank_of(
    catalogue: Catalogue, texts: Sequence[str], context: RecallContext, record: IndexedNote
) -> Ranking | None:
    """The rank of one memory in the answer to a question, however far down it is.

    The rank is 1 for the best, before repetitions move down. None if the filters or exclusions of the question
    rule the memory out, or if it asks for nothing.
    """
    wordings, context = _parsed(catalogue, texts, context)
    ranked = _ranked(catalogue, wordings, context._replace(also=(record.path,)))
    for rank, candidate in enumerate(ranked, 1):
        if candidate.path == record.path:
            return Ranking(rank, _hits(catalogue, [candidate])[0].local())
    return None


def _parsed(
    catalogue: Catalogue, texts: Sequence[str], context: RecallContext
) -> tuple[list[Question], RecallContext]:
    """The wordings with the exclusions of all of them, and the context with the filters of all."""
    known, today = KnownNames(catalogue, context.kinds), context.now.date()
    asked = [_of_deeds(catalogue, text, today) for text in texts]
    wordings = [question.parse(text, known, today) for text, _ in asked]
    typed = [condition for _, conditions in asked for condition in conditions]
    typed += [condition for wording in wordings for condition in wording.filters]
    without = tuple(dict.fromkeys(term for wording in wordings for term in wording.without))
    conditions = understood(catalogue, (*context.conditions, *typed), context.now, context.kinds)
    filtered = context._replace(conditions=conditions)
    return [wording._replace(without=without) for wording in wordings], filtered


def _of_deeds(catalogue: Catalogue, text: str, today: date) -> tuple[str, list[Filter]]:
    """A question without what it says of the writer and the day of memories, and that as filters.

    Only who wrote something here is taken for a writer: others may be whom the memories are about.
    """
    deed = question.deed(text, today)
    if not deed:
        return text, []
    wrote = Filter("actor", "=", deed.actor)
    if deed.actor and not any(filters.accepts(wrote, record.meta) for record in catalogue.records()):
        return text, []
    when = [Filter("created", "=", "..".join(day.isoformat() for day in deed.period))] if deed.period else []
    return deed.about, [*([wrote] if deed.actor else []), *when]


def _ranked(catalogue: Catalogue, wordings: Sequence[Question], context: RecallContext) -> list[_Candidate]:
    """Every candidate for any of the wordings, best first.

    Scores grow with the words of a wording: those of several count by their share of the best, so that a long
    wording does not drown a short one.
    """
    asked = [wording for wording in wordings if wording.words or wording.periods]
    pools = [Pool(catalogue, wording, context) for wording in asked]
    tops = [max(pool.scores.values(), default=0.0) for pool in pools]
    best: dict[str, _Candidate] = {}
    for pool, top in zip(pools, tops, strict=True):
        share = max(tops) / top if top > 0 else 1.0
        for path, score in pool.scores.items():
            if path not in best or share * score > best[path].score:
                best[path] = _Candidate(path, pool, share * score)
    return sorted(best.values(), key=lambda each: (-each.score, each.path))


def _own_first(
    catalogue: Catalogue, ranked: Sequence[_Candidate], wordings: Sequence[Question], context: RecallContext
) -> Sequence[_Candidate]:
    """The candidates; those of another branch, or project that the question does not name, are lowered.

    They lose a share of the best score.
    """
    asked = {word for wording in wordings for word in wording.words}
    records = catalogue.records_at([candidate.path for candidate in ranked])
    elsewhere = {
        record.path
        for record in records
        if context.project
        and is_of_another(record.meta, context.project)
        and asked.isdisjoint(segment.words(project_of(record.meta)))
    }
    elsewhere.update(context.aside(records) if context.aside else ())
    loss = {path: _ELSEWHERE * max(ranked[0].score, 0.0) for path in elsewhere}
    scored = [each._replace(score=each.score - loss.get(each.path, 0.0)) for each in ranked]
    return sorted(scored, key=lambda each: -each.score)


def diverse(
    ranked: Sequence[tuple[float, frozenset[str]]], limit: int, under: Mapping[int, int] = MappingProxyType({})
) -> list[int]:
    """An order of `ranked` (score, words of the text; best first) in which repetitions move down.

    A note that shares over 60 % of its words with a better one (Jaccard index) loses a fifth of the best score.
    This is maximal marginal relevance (Carbonell and Goldstein 1998), except that the penalty is fixed; theirs
    grows with the likeness to what was chosen. `under` maps a note to the one that must come before it. Notes are
    positions in `ranked`; returns the first `limit` in the new order.
    """
    loss = 0.2 * max(ranked[0][0], 0.0) if ranked else 0.0
    chosen: list[int] = []
    waiting = sorted(range(len(ranked)), key=lambda at: -ranked[at][0])
    compared, repeated = dict.fromkeys(waiting, 0), set[int]()  # with how many of those chosen; repetitions

    def worth(at: int) -> tuple[float, int]:
        others, compared[at] = chosen[compared[at] :], len(chosen)
        if any(_repeats(ranked[other][1], ranked[at][1]) for other in others):
            repeated.add(at)
        return ranked[at][0] - loss * (at in repeated), -at

    while waiting and len(chosen) < limit:
        free = ([at for at in waiting if under.get(at) not in waiting] if under else waiting) or waiting
        best = free[0]
        for at in free:
            if ranked[at][0] < worth(best)[0]:  # nor can those after it be better
                break
            best = max(best, at, key=worth)
        waiting.remove(best)
        chosen.append(best)
    return chosen


def _repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer, more = sorted((len(one), len(other)))
    if fewer <= 0.6 * more:  # not even if all words of the one were in the other
        return False
    common = len(one & other)
    return common > 0.6 * (fewer + more - common)


def _after_successors(ranked: Sequence[_Candidate]) -> dict[int, int]:
    """position -> position of the memory that replaces it, for the candidates of an order."""
    places = {candidate.path: at for at, candidate in enumerate(ranked)}
    after: dict[int, int] = {}
    for at, candidate in enumerate(ranked):
        successor = candidate.pool.successors.get(candidate.path)
        if successor and successor.path in places:
            after[at] = places[successor.path]
    return after


def _each_told_once(catalogue: Catalogue, ranked: Sequence[_Candidate], most: int) -> Sequence[_Candidate]:
    """The best `most` candidates; those that say the same are merged, unless all of them are memories."""
    best = ranked[: max(most, _COMPARED)]
    if all(each.pool.kind(each.path) == MEMORY for each in best):
        return best[:most]
    from mdmem.recall import sameness

    compared = {candidate.path: candidate for candidate in best[:_COMPARED]}
    hits = _hits(catalogue, list(compared.values()))
    told = [compared[hit.record.path] for hit in hits]
    once = []
    for first, *others in sameness.groups(hits, most):
        score = max(told[at].score for at in (first, *others))
        once.append(told[first]._replace(score=score, same=tuple(told[at] for at in others)))
    return [*once, *ranked[_COMPARED:]][:most]


def _hits(catalogue: Catalogue, ranked: Sequence[_Candidate]) -> list[Hit]:
    paths = [each.path for candidate in ranked for each in (candidate, *candidate.same)]
    known = ranked[0].pool.learned.records if ranked else {}
    known |= {
        record.path: record for record in catalogue.records_at([path for path in paths if path not in known])
    }

    def hits(candidates: Iterable[_Candidate]) -> Iterator[Hit]:
        return (
            each.pool.hit(known[each.path], each.score, tuple(hits(each.same)))
            for each in candidates
            if each.path in known
        )

    return list(hits(ranked))


def _newest(catalogue: Catalogue, wordings: Sequence[Question], context: RecallContext, limit: int) -> list[Hit]:
    """The newest records that pass the filters and exclusions."""
    without = ruled_out(catalogue, wordings[0].without) if wordings else set()
    without |= put_away(catalogue, context)
    newest = (record for record in catalogue.newest(context.kinds) if record.path not in without)
    records = islice((record for record in newest if context.admits(record)), limit)
    return [bare(catalogue, record, context.standing(record.meta).reservation) for record in records]


def bare(catalogue: Catalogue, record: IndexedNote, reservation: str = "") -> Hit:
    """A hit for a record that no question found: its first line stands for it."""
    first = excerpt.best_passage(catalogue.body(record.path), frozenset())
    line = record.file_line(first.line)
    return Hit(record, 0.0, {}, line, first.text, "", reservation=reservation)
