"""The candidates for one wording of a question, read and scored.

The index gathers them by BM25, by date and by meaning; the notes around the best of them in their session
are looked at, too. How much is gathered is bounded, so that a question of common words costs no more in a
large vault than it must.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple, Protocol

from mdmem.core import dates, decay, moments, naming, passage, question, ranking, segment
from mdmem.core.filters import Filter
from mdmem.core.memory import stem
from mdmem.core.question import Question
from mdmem.core.ranking import NOTHING, Facts
from mdmem.services.lexicon import Lexicon
from mdmem.services.selection import passes
from mdmem.store.catalogue import Catalogue, NoteText, Record, fold_target

POOL = 200  # candidates that are read and scored
NEAREST = 50  # further candidates that are nearest by meaning
DATED = 60  # further candidates from around a date that the question names
AROUND = 60  # best candidates whose neighbours of the same session become candidates, too
SINKS = {"deprecated": 0.5, "retracted": 0.5, "contested": 0.9}  # what remains of the score of such a memory
_YEARS = 10  # back to which a date without a year is looked for


class Likeness(Protocol):
    """How near memories are to a text by meaning, where a vault has a model for that."""

    def nearest(self, text: str, count: int) -> list[int]:
        """The rows of the memories nearest to a text, nearest first."""

    def of(self, text: str, rowids: Sequence[int]) -> Mapping[int, float]:
        """row -> cosine (-1 to 1) of those memories to a text; without those that have no vector yet."""


class Circumstances(NamedTuple):
    """What an answer depends on besides the question and the memories.

    `used` is how often memories were recalled before, by id. `also` are rows to score whatever they hold.
    """

    now: datetime
    conditions: tuple[Filter, ...] = ()
    used: Mapping[str, int] = MappingProxyType({})
    likeness: Likeness | None = None
    also: tuple[int, ...] = ()


class Pool:
    """The candidates for one wording of a question, read and scored.

    `scores` and `signals` are by row, `texts` what was read of it and of its neighbours, `successors` the
    names of the memories that replace it.
    """

    def __init__(self, catalogue: Catalogue, asked: Question, circumstances: Circumstances) -> None:
        self.catalogue = catalogue
        self.question = asked
        self.conditions = circumstances.conditions
        self.circumstances = circumstances
        self.lexicon = Lexicon(catalogue, asked.words)
        self.texts: dict[int, NoteText] = {}
        self.successors: dict[int, str] = {}
        rowids = self._gather()
        around = self._neighbours(rowids[:AROUND])
        self.texts |= catalogue.texts([*around.keys() - self.texts.keys(), *self._beyond(around)])
        self._tokens = {rowid: ranking.tokens(segment.spaced(text.body)) for rowid, text in self.texts.items()}
        titles = {rowid: ranking.tokens(segment.spaced(text.title)) for rowid, text in self.texts.items()}
        self.senses = self.lexicon.senses([*self._tokens.values(), *titles.values()])
        self._found = {
            rowid: ranking.read(titles[rowid], self._tokens[rowid], text.body, self.senses)
            for rowid, text in self.texts.items()
        }
        self._subjects = self._named_subjects()
        self._likeness = self._alike([*rowids, *around])
        self.signals = {rowid: self._signals(rowid, around.get(rowid)) for rowid in [*rowids, *around]}
        self.scores = {rowid: ranking.total(found) for rowid, found in self.signals.items()}
        self._keep_passing()
        self._sink()

    # -- gathering -----------------------------------------------------------------------------------------

    def _gather(self) -> list[int]:
        """The best candidates by BM25 that pass the filters."""
        expression = self.lexicon.expression(self.question)
        if not self.conditions:
            rowids = self.catalogue.search(expression, POOL)
        else:
            rowids = []
            for offset in range(0, 1 << 30, 500):
                batch = self.catalogue.search(expression, 500, offset)
                passing = (r.rowid for r in self.catalogue.by_rowid(batch) if passes(r, self.conditions))
                rowids += passing
                if len(rowids) >= POOL or len(batch) < 500:
                    break
        likeness = self.circumstances.likeness
        near = likeness.nearest(self.question.text, NEAREST) if likeness else []
        rowids = list(dict.fromkeys([*rowids[:POOL], *self._dated(expression), *near, *self.circumstances.also]))
        self.texts = self.catalogue.texts(rowids)
        return rowids

    def _dated(self, expression: str) -> list[int]:
        """Candidates from around the dates that the question names."""
        if not self.question.windows:
            return []
        first, last = self.catalogue.years()
        found = [
            dates.span(window, year)
            for window in self.question.windows
            for year in ((window.year,) if window.year else range(max(first, last - _YEARS), last + 1))
        ]
        spans = [(moments.render(start), moments.render(end)) for start, end in filter(None, found)]
        return self.catalogue.search_between(expression, spans, DATED) if spans else []

    def _neighbours(self, rowids: Sequence[int]) -> dict[int, tuple[list[int], list[int]]]:
        """row -> (rows before it, rows after it) of its session, for the best candidates and their neighbours."""
        own = {rowid: self.catalogue.neighbours(self.texts[rowid], ranking.REACH) for rowid in rowids}
        beside = {near for before, after in own.values() for near in (*before[:1], *after[:1])} - own.keys()
        self.texts |= self.catalogue.texts([rowid for rowid in beside if rowid not in self.texts])
        own |= {rowid: self.catalogue.neighbours(self.texts[rowid], ranking.REACH) for rowid in sorted(beside)}
        return {rowid: near for rowid, near in own.items() if near != ([], [])}

    def _beyond(self, around: Mapping[int, tuple[list[int], list[int]]]) -> list[int]:
        """Neighbours that are no candidates but must be read to judge those that are."""
        near = {rowid for before, after in around.values() for rowid in (*before, *after)}
        return sorted(near - self.texts.keys() - around.keys())

    # -- scoring -------------------------------------------------------------------------------------------

    def _signals(self, rowid: int, around: tuple[list[int], list[int]] | None) -> dict[str, float]:
        before, after = around or ([], [])
        text = self.texts[rowid]
        return ranking.signals(
            self.question,
            self.lexicon.concepts,
            ranking.InSession(
                self._found[rowid],
                [self._found[near] for near in (*before, *after)],
                self._found[before[0]] if before else NOTHING,
            ),
            self._facts(text),
            self._subjects,
            self.circumstances.now,
        )

    def _facts(self, text: NoteText) -> Facts:
        life = text.life
        return Facts(
            title=text.title,
            body=text.body,
            created=moments.parse(text.created),
            subjects=frozenset(naming.fold(subject) for subject in (*text.tags, text.topic) if subject),
            importance=decay.number(life.get("importance")),
            salience=decay.effective(life, text.created, self.circumstances.now),
            pinned=life.get("pinned") is True,
            used=self.circumstances.used.get(text.id, 0),
            likeness=self._likeness.get(text.rowid, 0.0),
        )

    def _alike(self, rowids: Sequence[int]) -> Mapping[int, float]:
        likeness = self.circumstances.likeness
        return likeness.of(self.question.text, rowids) if likeness else {}

    def _named_subjects(self) -> dict[str, float]:
        """Tags and topics of candidates that the question names -> their rarity."""
        asked = set(self.question.words)
        named = {
            naming.fold(subject)
            for text in self.texts.values()
            for subject in (*text.tags, text.topic)
            if subject and set(question.words(subject)) <= asked
        }
        total = self.catalogue.count()
        return {
            name: ranking.idf(self.catalogue.matching("tags : " + question.match_expression([name])), total)
            for name in sorted(named)
        }

    def _keep_passing(self) -> None:
        """Neighbours came along without having been asked whether they pass the filters and exclusions."""
        if not (self.conditions or self.question.phrases or self.question.without):
            return
        phrases = self.question.phrases if self.question.only_phrases else ()
        unwanted = set(self.catalogue.stems(self.question.without).values())
        for record in self.catalogue.by_rowid(list(self.scores)):
            text = self.texts[record.rowid]
            keep = passes(record, self.conditions) and ranking.phrases(phrases, text.title, text.body) == len(
                phrases
            )
            if keep and unwanted:
                spoken = self.catalogue.stems(sorted(set(self._tokens[record.rowid])))
                keep = unwanted.isdisjoint(spoken.values())
            if not keep:
                del self.scores[record.rowid]

    def _sink(self) -> None:
        """A memory that was replaced ranks under the one that replaces it, and names it."""
        for rowid in [row for row in self.scores if self.texts[row].status in SINKS]:
            text = self.texts[rowid]
            score = self.scores[rowid]
            self.scores[rowid] = score * SINKS[text.status] if score > 0 else score
            successor = self._successor(text) if text.status == "deprecated" else None
            if successor is None or not passes(successor, self.conditions):
                continue
            self.successors[rowid] = successor.name
            if successor.rowid not in self.scores:
                self.texts |= self.catalogue.texts([successor.rowid])
                self._tokens[successor.rowid] = ranking.tokens(segment.spaced(self.texts[successor.rowid].body))
                self.signals[successor.rowid] = {"replaces": score}
                self.scores[successor.rowid] = score
            self.scores[rowid] = min(self.scores[rowid], self.scores[successor.rowid] * 0.99)

    def _successor(self, text: NoteText) -> Record | None:
        (own,) = self.catalogue.by_rowid([text.rowid])
        named = own.meta.get("superseded_by")
        for link in named if isinstance(named, list) else [named]:
            found = self.catalogue.named(fold_target(str(link).strip("[]"))) if link else []
            if found:
                return found[0]
        linking = self.catalogue.links_to([fold_target(stem(text.path))], "supersedes")
        return linking[0][0] if linking else None

    # -- results -------------------------------------------------------------------------------------------

    def bag(self, rowid: int) -> frozenset[str]:
        """The words of a candidate, to tell repetitions."""
        return frozenset(self._tokens[rowid])

    def passage(self, rowid: int) -> passage.Passage:
        """The best passage of a candidate."""
        matches = {token for token, sense in self.senses.items() if not sense.idf}
        return passage.best(self.texts[rowid].body, matches)

    def words(self, rowid: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of the question that a candidate has, and those it lacks."""
        note = self._found[rowid]
        has = note.body.keys() | note.title.keys() | note.similar.keys()
        concepts = list(enumerate(self.lexicon.concepts))
        return (
            tuple(concept.word for at, concept in concepts if at in has),
            tuple(concept.word for at, concept in concepts if at not in has),
        )
