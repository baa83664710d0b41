"""The candidates for one wording of a question, read and scored.

A candidate is scored by what it says, and by what the notes around it in its session say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mdmem.index.port import MEMORY, Catalogue, IndexedNote, Neighbours
from mdmem.note import decay, excerpt
from mdmem.recall import question
from mdmem.recall import score as ranking
from mdmem.recall.gather import Gatherer, ReadNote, RecallContext
from mdmem.recall.lexicon import Lexicon
from mdmem.recall.question import Question
from mdmem.recall.score import NOTHING, Facts, TextMatches, WordMatch
from mdmem.recall.successor import successor_of, superseded_of

AROUND = 60  # best candidates whose neighbours of the same session become candidates, too
SINKS = {"deprecated": 0.5, "retracted": 0.5, "contested": 0.9}  # what remains of the score of such a memory
INVALID = 0.5  # what remains of the score of one that does not hold, where it is not left out
_BEHIND = 0.99  # what a replaced memory has at most of the score of the one that replaces it


class Pool:
    """The candidates for one wording of a question.

    By path: `scores`, the `signals` they are the sum of before sinking, and the `successors` that replace some.
    """

    def __init__(self, catalogue: Catalogue, asked: Question, context: RecallContext) -> None:
        self.question = asked
        self.scores: dict[str, float] = {}
        self.signals: dict[str, dict[str, float]] = {}
        self.successors: dict[str, IndexedNote] = {}
        self._catalogue = catalogue
        self._context = context
        self._lexicon = Lexicon(catalogue, asked.words)
        self._gatherer = Gatherer(catalogue, asked, context, self._lexicon)
        self._notes = self._gatherer.notes
        self._senses: dict[str, WordMatch] = {}  # by token
        self._matches: dict[str, TextMatches] = {}
        self._labels: dict[str, float] = {}

    @classmethod
    def filled(cls, catalogue: Catalogue, asked: Question, context: RecallContext) -> Pool:
        """The pool of a question: candidates gathered, read, scored; the replaced and the lesser ones sunk."""
        pool = cls(catalogue, asked, context)
        gathered = pool._gatherer.candidates()
        sessions = pool._neighbours(gathered[:AROUND])
        nearby = [path for before, after in sessions.values() for path in (*before, *after)]
        pool._read([*gathered, *sessions, *nearby])
        beside = pool._gatherer.admitted(sessions.keys() - set(gathered))
        pool._score([*gathered, *beside], sessions)
        pool._sink_replaced()
        pool._sink_by_kind()
        return pool

    # -- reading -------------------------------------------------------------------------------------------

    def _neighbours(self, paths: Sequence[str]) -> dict[str, Neighbours]:
        """path -> its neighbours, for those paths and the notes right before and after them."""
        own = self._beside(paths)
        nearest = {near for before, after in own.values() for near in (*before[:1], *after[:1])}
        return own | self._beside(sorted(nearest - own.keys()))

    def _beside(self, paths: Sequence[str]) -> dict[str, Neighbours]:
        notes = self._notes.read(paths)
        known = self._catalogue.kept("neighbours")
        unknown = [notes[path].text for path in paths if path not in known]
        if unknown:
            known |= {text.path: ([], []) for text in unknown}
            known |= self._catalogue.neighbours(unknown, ranking.REACH)
        return {path: known[path] for path in paths if known[path] != ([], [])}

    def _read(self, paths: Sequence[str]) -> None:
        """Find in the texts of memories what the question asks for."""
        notes = self._notes.read(paths)
        new = [path for path in dict.fromkeys(paths) if path not in self._matches]
        self._senses |= self._lexicon.senses(notes[path].vocabulary for path in new)
        self._matches |= {path: self._match(notes[path]) for path in new}

    def _match(self, note: ReadNote) -> TextMatches:
        """What the question finds in a note."""
        if note.vocabulary.isdisjoint(self._senses):
            return NOTHING._replace(asks=note.words.asks) if note.words.asks else NOTHING
        return ranking.read(note.words, self._senses)

    # -- scoring -------------------------------------------------------------------------------------------

    def _score(self, paths: Sequence[str], sessions: Mapping[str, Neighbours]) -> None:
        """Make candidates of those memories that were read and have to do with the question."""
        model = self._context.likeness
        likeness = model.of(self.question.text, paths) if model else {}
        for path in paths:
            signals = ranking.signals(
                self.question,
                self._lexicon.concepts,
                self._in_session(path, sessions.get(path, ([], []))),
                self._facts(path, likeness.get(path, 0.0)),
                self._context.now,
            )
            if signals.keys() & ranking.EVIDENCE or path in self._context.also:
                self.signals[path] = signals
                self.scores[path] = ranking.total(signals)

    def _in_session(self, path: str, neighbours: Neighbours) -> ranking.InSession:
        before, after = neighbours
        return ranking.InSession(
            own=self._matches[path],
            around=[self._matches[near] for near in (*before, *after)],
            before=self._matches[before[0]] if before else NOTHING,
        )

    def _facts(self, path: str, likeness: float) -> Facts:
        note = self._notes[path]
        text = note.text
        salience = decay.effective(text.life, text.created, self._context.now) if text.life else None
        used, subject = self._context.opened.get(text.id, 0), self._subject(note)
        return note.facts._replace(salience=salience, subject=subject, used=used, likeness=likeness)

    def _subject(self, note: ReadNote) -> float:
        """The rarity of what the question names of a note's labels, 0 if it names none."""
        if note.label_words.isdisjoint(self._senses):
            return 0.0
        return max(self._named_label(*label) for label in note.labels.items())

    def _named_label(self, label: str, words: Sequence[str]) -> float:
        """The rarity of a label, 0 if the question does not name all of it."""
        if label not in self._labels:
            senses = [self._senses.get(word) for word in words]
            is_named = bool(senses) and all(sense and sense.weight == 1.0 and not sense.idf for sense in senses)
            self._labels[label] = self._rarity_as_label(label) if is_named else 0.0
        return self._labels[label]

    def _rarity_as_label(self, label: str) -> float:
        expression = "tags : " + question.match_expression([question.run(label)])
        return ranking.idf(self._catalogue.matching(expression), self._lexicon.total)

    def _sink_replaced(self) -> None:
        """Lower what is out of date or does not hold; a memory that was replaced ranks under its successor.

        A memory that a current one supersedes is out of date, too, whatever its own status says.
        """
        before = dict(self.scores)
        superseded = superseded_of(self._catalogue, [path for path in before if self.kind(path) == MEMORY])
        standing = {path: "deprecated" if path in superseded else self._status(path) for path in before}
        for path, status in standing.items():
            holds = self._context.standing(self._notes[path].text.validity).holds
            self.scores[path] = _lowered(before[path], SINKS.get(status, 1.0) * (1.0 if holds else INVALID))
        for path, status in standing.items():
            if status == "deprecated":
                self._put_behind_successor(path, before[path])

    def _put_behind_successor(self, path: str, score: float) -> None:
        """Have what replaces a memory of that score be a candidate, too, and rank above it."""
        record = self._catalogue.record(path)
        successor = successor_of(self._catalogue, record) if record else None
        if successor is None:
            return
        self.successors[path] = successor
        if successor.path not in self.scores and self._gatherer.admitted([successor.path]):
            self._read([successor.path])
            self.signals[successor.path] = {"replaces": score}
            self.scores[successor.path] = _lowered(score, SINKS.get(self._status(successor.path), 1.0))
        if successor.path in self.scores:
            self.scores[path] = min(self.scores[path], _lowered(self.scores[successor.path], _BEHIND))

    def _sink_by_kind(self) -> None:
        """Lower what is not a memory."""
        for path, score in self.scores.items():
            self.scores[path] = _lowered(score, ranking.KIND_SHARES.get(self.kind(path), 1.0))

    def kind(self, path: str) -> str:
        """The kind of a candidate, one of ALL_KINDS."""
        return self._notes[path].text.kind

    def _status(self, path: str) -> str:
        return self._notes[path].text.status

    # -- results -------------------------------------------------------------------------------------------

    def bag(self, path: str) -> frozenset[str]:
        """The words of a candidate, to tell repetitions."""
        return frozenset(self._notes[path].words.body)

    def reservation(self, path: str) -> str:
        """Why a candidate does not hold, or what that depends on; "" if it holds."""
        return self._context.standing(self._notes[path].text.validity).reservation

    def passage(self, path: str) -> excerpt.Passage:
        """The best passage of a candidate. Words of similar meaning count where the word itself is missing."""
        present = self._matches[path].body
        tokens = {token for token, sense in self._senses.items() if not sense.idf or sense.concept not in present}
        return excerpt.best_passage(self._notes[path].text.body, tokens)

    def words(self, path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of the question that a candidate has, and those it lacks."""
        matches = self._matches[path]
        labels = [self._senses[token] for token in self._notes[path].label_words if token in self._senses]
        has = matches.body.keys() | matches.title.keys() | matches.links.keys() | matches.similar.keys()
        has |= {sense.concept for sense in labels}
        concepts = list(enumerate(self._lexicon.concepts))
        return (
            tuple(concept.word for at, concept in concepts if at in has),
            tuple(concept.word for at, concept in concepts if at not in has),
        )


def _lowered(score: float, share: float) -> float:
    """A score of which only a share remains; one below 0 goes down as far."""
    return score - (1 - share) * abs(score)
