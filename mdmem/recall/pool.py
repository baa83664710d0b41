"""The candidates for one wording of a question, read and scored.

The index gathers them by BM25, by phrase, by date and by meaning; the notes around the best of them in their
session are looked at, too. How much is gathered is bounded, so that a question of common words costs no more in
a large vault than it must.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple, Protocol

from mdmem.index.catalogue import Catalogue, IndexedNote, NoteText, fold_target
from mdmem.note import decay, links, naming, passage
from mdmem.note.filters import Filter
from mdmem.note.memory import as_flag, as_number, as_text, stem
from mdmem.recall import question
from mdmem.recall import score as ranking
from mdmem.recall.lexicon import POSTINGS, Lexicon
from mdmem.recall.question import Question
from mdmem.recall.score import NOTHING, Facts, TextMatches, WordMatch, Words
from mdmem.recall.selection import passes
from mdmem.text import dates, moments, segment

POOL = 100  # candidates that are read and scored
NEAREST = 50  # further candidates that are nearest by meaning
PHRASED = 60  # further candidates that have a phrase of the question
DATED = 60  # further candidates from around a date that the question names
AROUND = 60  # best candidates whose neighbours of the same session become candidates, too
SINKS = {"deprecated": 0.5, "retracted": 0.5, "contested": 0.9}  # what remains of the score of such a memory
ANY = -1  # no limit
_BATCH = 500
_YEARS = 10  # back to which a date without a year is looked for


class Likeness(Protocol):
    """How near memories are to a text by meaning, where a vault has a model for that."""

    def nearest(self, text: str, count: int) -> list[int]:
        """The rows of the memories nearest to a text, nearest first."""

    def of(self, text: str, rowids: Sequence[int]) -> Mapping[int, float]:
        """row -> cosine (-1 to 1) of those memories to a text; without those that have no vector yet."""


class RecallContext(NamedTuple):
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
    memories that replace it.
    """

    def __init__(self, catalogue: Catalogue, asked: Question, circumstances: RecallContext) -> None:
        self.catalogue = catalogue
        self.question = asked
        self.circumstances = circumstances
        self.lexicon = Lexicon(catalogue, asked.words)
        self._unwanted = unwanted(catalogue, asked)
        self.texts: dict[int, NoteText] = {}
        self.senses: dict[str, WordMatch] = {}
        self._words: dict[int, Words] = {}
        self._found: dict[int, TextMatches] = {}
        self.successors: dict[int, IndexedNote] = {}
        rowids = self._gather()
        around = self._neighbours(rowids[:AROUND])
        near = [rowid for before, after in around.values() for rowid in (*before, *after)]
        self._read([*rowids, *around, *near])
        rowids += self._admitted(around.keys() - set(rowids))
        self._subjects = self._named_subjects()
        self._likeness = self._alike(rowids)
        self.signals = {rowid: self._signals(rowid, around.get(rowid)) for rowid in rowids}
        self.scores = {rowid: ranking.total(found) for rowid, found in self.signals.items()}
        self._sink()

    # -- gathering -----------------------------------------------------------------------------------------

    def _gather(self) -> list[int]:
        """The best candidates by BM25, and those that a phrase, a date or their meaning brings in."""
        conditions, asked = self.circumstances.conditions, self.question
        picky = bool(conditions or asked.only_phrases)
        expression = self.lexicon.expression(asked, ANY if picky else POSTINGS)
        every = self.catalogue.search(expression, ANY if picky else POOL)
        rowids: list[int] = []
        for at in range(0, len(every), _BATCH):
            rowids += self._admitted(every[at : at + _BATCH])
            if len(rowids) >= POOL:
                break
        further = [*self._phrased(), *self._dated(expression), *self._nearest(), *self.circumstances.also]
        return list(dict.fromkeys([*rowids[:POOL], *self._admitted(further)]))

    def _admitted(self, rowids: Iterable[int]) -> list[int]:
        """Those of the rows that filters and exclusions let pass, and that have what only a phrase asks for."""
        conditions, asked = self.circumstances.conditions, self.question
        left = [rowid for rowid in rowids if rowid not in self._unwanted]
        if conditions:
            left = [record.rowid for record in self.catalogue.by_rowid(left) if passes(record, conditions)]
        if asked.only_phrases:
            texts = self._text(left)
            left = [row for row in left if _has_all(asked.phrases, texts[row])]
        return left

    def _phrased(self) -> list[int]:
        """Candidates that have a phrase of the question."""
        phrases = [question.run(phrase) for phrase in self.question.phrases]
        return self.catalogue.search(question.match_expression(phrases), PHRASED) if phrases else []

    def _nearest(self) -> list[int]:
        """Candidates that are near by meaning."""
        likeness = self.circumstances.likeness
        return likeness.nearest(self.question.text, NEAREST) if likeness else []

    def _dated(self, expression: str) -> list[int]:
        """Candidates from around the dates that the question names."""
        if not self.question.windows:
            return []
        windows = self.question.windows
        years = self._years() if any(not window.year for window in windows) else range(0)
        found = [
            dates.span(window, year) for window in windows for year in ((window.year,) if window.year else years)
        ]
        spans = [(moments.render(start), moments.render(end)) for start, end in filter(None, found)]
        return self.catalogue.search_between(expression, spans, DATED) if spans else []

    def _years(self) -> range:
        """The years in which a date without one is looked for: the last that have memories, and no far future."""
        first, last = self.catalogue.years()
        last = min(last, self.circumstances.now.year + 1)
        return range(max(first, last - _YEARS), last + 1)

    def _neighbours(self, rowids: Sequence[int]) -> dict[int, tuple[list[int], list[int]]]:
        """row -> (rows before it, rows after it) of its session, for the best candidates and their neighbours."""
        own = self._beside(rowids)
        nearest = {near for before, after in own.values() for near in (*before[:1], *after[:1])}
        return own | self._beside(sorted(nearest - own.keys()))

    def _beside(self, rowids: Sequence[int]) -> dict[int, tuple[list[int], list[int]]]:
        texts = self._text(rowids)
        found = {rowid: self.catalogue.neighbours(texts[rowid], ranking.REACH) for rowid in rowids}
        return {rowid: near for rowid, near in found.items() if near != ([], [])}

    def _text(self, rowids: Iterable[int]) -> Mapping[int, NoteText]:
        """What was read of the rows, read now if it was not yet."""
        self.texts |= self.catalogue.texts([rowid for rowid in dict.fromkeys(rowids) if rowid not in self.texts])
        return self.texts

    def _read(self, rowids: Sequence[int]) -> None:
        """Find in the texts of the rows what the question asks for."""
        texts = self._text(rowids)
        new = [rowid for rowid in dict.fromkeys(rowids) if rowid not in self._found]
        self._words |= {rowid: _words(texts[rowid]) for rowid in new}
        tags = [segment.words(" ".join(texts[rowid].tags)) for rowid in new]
        said = [part for rowid in new for part in self._words[rowid][:3]]
        self.senses |= self.lexicon.senses([*said, *tags])
        self._found |= {rowid: ranking.read(self._words[rowid], self.senses) for rowid in new}

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
            words=self._words[text.rowid].body,
            subjects=frozenset(naming.fold(subject) for subject in (*text.tags, text.topic) if subject),
            importance=as_number(life.get("importance")),
            salience=decay.effective(life, text.created, self.circumstances.now),
            pinned=as_flag(life.get("pinned")),
            used=self.circumstances.used.get(text.id, 0),
            likeness=self._likeness.get(text.rowid, 0.0),
        )

    def _alike(self, rowids: Sequence[int]) -> Mapping[int, float]:
        likeness = self.circumstances.likeness
        return likeness.of(self.question.text, rowids) if likeness else {}

    def _named_subjects(self) -> dict[str, float]:
        """Tags and topics of candidates that the question names -> their rarity."""
        asked = set(self.question.words)
        subjects = {subject for text in self.texts.values() for subject in (*text.tags, text.topic)}
        said = {subject: set(question.words(subject)) for subject in subjects}
        named = sorted({naming.fold(subject) for subject, its in said.items() if its and its <= asked})
        tagged = {name: "tags : " + question.match_expression([question.run(name)]) for name in named}
        return {
            name: ranking.idf(self.catalogue.matching(expression), self.lexicon.total)
            for name, expression in tagged.items()
        }

    def _sink(self) -> None:
        """A memory that was replaced ranks under the one that replaces it, and names it."""
        gone = [rowid for rowid in self.scores if self.texts[rowid].status in SINKS]
        before = {rowid: self.scores[rowid] for rowid in gone}
        for rowid in gone:
            self.scores[rowid] = _lowered(before[rowid], SINKS[self.texts[rowid].status])
        for rowid in gone:
            successor = successor_of(self.catalogue, rowid) if self.texts[rowid].status == "deprecated" else None
            if successor is None:
                continue
            self.successors[rowid] = successor
            if successor.rowid not in self.scores and self._admitted([successor.rowid]):
                self._add(successor.rowid, before[rowid])
            if successor.rowid in self.scores:
                self.scores[rowid] = min(self.scores[rowid], _lowered(self.scores[successor.rowid], 0.99))

    def _add(self, rowid: int, score: float) -> None:
        """Make a candidate of a memory only because it replaces one of that score."""
        self._read([rowid])
        self.signals[rowid] = {"replaces": score}
        self.scores[rowid] = _lowered(score, SINKS.get(self.texts[rowid].status, 1.0))

    # -- results -------------------------------------------------------------------------------------------

    def bag(self, rowid: int) -> frozenset[str]:
        """The words of a candidate, to tell repetitions."""
        return frozenset(self._words[rowid].body)

    def passage(self, rowid: int) -> passage.Passage:
        """The best passage of a candidate. Words of similar meaning count where the word itself is missing."""
        said = self._found[rowid].body
        matches = {token for token, sense in self.senses.items() if not sense.idf or sense.concept not in said}
        return passage.best(self.texts[rowid].body, matches)

    def words(self, rowid: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of the question that a candidate has, and those it lacks."""
        note = self._found[rowid]
        tags = segment.words(" ".join(self.texts[rowid].tags))
        tagged = {self.senses[token].concept for token in tags if token in self.senses}
        has = note.body.keys() | note.title.keys() | note.links.keys() | note.similar.keys() | tagged
        concepts = list(enumerate(self.lexicon.concepts))
        return (
            tuple(concept.word for at, concept in concepts if at in has),
            tuple(concept.word for at, concept in concepts if at not in has),
        )


def successor_of(catalogue: Catalogue, rowid: int) -> IndexedNote | None:
    """What replaces a memory in the end, where replacements were replaced themselves."""
    (record,) = catalogue.by_rowid([rowid])
    seen = {rowid}
    last = None
    while (following := _replacing(catalogue, record)) is not None and following.rowid not in seen:
        seen.add(following.rowid)
        last = record = following
    return last


def _replacing(catalogue: Catalogue, record: IndexedNote) -> IndexedNote | None:
    """The memory that a memory's superseded_by names, or else the latest that says it supersedes it."""
    named = record.meta.get("superseded_by")
    for value in named if isinstance(named, list) else [named]:
        text = as_text(value)
        found = catalogue.named(fold_target(links.wikilink_target(text) or text)) if text else []
        if found:
            return found[0]
    linking = [source for source, _ in catalogue.links_to([fold_target(record.name)], "supersedes")]
    return max(linking, key=lambda source: (source.created, source.path), default=None)


def unwanted(catalogue: Catalogue, asked: Question) -> set[int]:
    """The rows of the memories that a question rules out by `-word`."""
    return set(catalogue.search(question.match_expression(asked.without), ANY)) if asked.without else set()


def _has_all(phrases: Sequence[str], text: NoteText) -> bool:
    return ranking.phrases(phrases, text.title, text.body) == len(phrases)


def _words(text: NoteText) -> Words:
    """A memory's words; its name adds to the title's those that only it has."""
    title = segment.words(text.title)
    said, linked = links.apart(text.body)
    return Words(
        title=title + [word for word in segment.words(stem(text.path)) if word not in title],
        body=segment.words(said),
        links=segment.words(linked),
        asks=ranking.asks(text.body),
    )


def _lowered(score: float, share: float) -> float:
    """A score of which only a share remains; one below 0 goes down as far."""
    return score - (1 - share) * abs(score)
