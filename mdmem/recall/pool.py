"""The candidates for one wording of a question, read and scored.

A candidate is scored by what it says, and by what the notes around it in its session say.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from math import log
from typing import NamedTuple

from mdmem.note import excerpt, segment
from mdmem.note.memory import stem
from mdmem.recall import question
from mdmem.recall import score as ranking
from mdmem.recall.gather import Gatherer, RecallContext
from mdmem.recall.lexicon import Lexicon
from mdmem.recall.question import Question
from mdmem.recall.reading import ALONE, Beside, Learned, NoteCache, ReadNote, looked_up
from mdmem.recall.score import NOTHING, InSession, TextMatches
from mdmem.store.index import alike, port
from mdmem.store.index.port import MEMORY, Catalogue, IndexedNote
from mdmem.store.index.successor import successor_of, superseded_of

AROUND = 60  # best candidates; the notes before and after each in its session become candidates, too
SINKS = {"deprecated": 0.5, "retracted": 0.5, "contested": 0.9}  # what remains of such a memory's score
INVALID = 0.5  # what remains of the score of a memory that does not hold, unless it is left out
ASKING = NOTHING._replace(asks=True)  # what is found in a note that is a question and has none of the words
SESSION_SHARE = 0.6  # how much of a memory's nearness by meaning the nearest of its session decides, the less
SESSION_LENGTH = 120  # the longer it is; half as much of one of so many words
BEST_SHARE = 0.25  # how much of it its best passage decides, the others all together the rest
BESIDE_READS = 100_000  # characters that are read of a memory that only stands beside a candidate
_BEHIND = 0.99  # most that a replaced memory gets of the score of the one that replaces it
_CHANGED = 10  # best memories among which one that tells of a change is put before what it changed


class Hit(NamedTuple):
    """What was recalled: a memory, a fact or an entry.

    `score` orders one answer and has no unit; `signals` add up to it before it is lowered. `line` (1-based, in the
    file) is that of the best passage and `text` the line itself; `snippet` is a piece of it, with the words that
    matched between excerpt.OPEN and CLOSE. `found` and `missing` are the words of the question that it has and
    lacks, `coverage` the share of them, by rarity, that it has in one passage with its title (0-1); with a model,
    the mean of that and its cosine; `lacks` is whether that passage names no number, time or name where one is
    asked for. `successor` names the memory that replaces it, "" if none does. `reservation` says that it does not
    hold, or under which conditions; "" if it holds. `same` are the other hits that say the same; its score is the
    best score of all.
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
    reservation: str = ""
    same: tuple["Hit", ...] = ()
    coverage: float = 1.0
    lacks: bool = False

    def local(self) -> "Hit":
        """The hit with its records' paths as they are in their own vaults; see `port.local`."""
        if not self.record.vault:
            return self
        return self._replace(record=port.local(self.record), same=tuple(hit.local() for hit in self.same))


class Pool:
    """The candidates for one wording of a question: gathered, read and scored, replaced and lesser ones lowered.

    By path: `scores`, the `signals` that add up to them before they are lowered, and `successors`, the memories
    that replace some. `learned` is what all questions share while the vault is in one state.
    """

    def __init__(self, catalogue: Catalogue, asked: Question, context: RecallContext) -> None:
        self._question = asked
        self._asked = segment.words(asked.text)
        self.scores: dict[str, float] = {}
        self.signals: dict[str, dict[str, float]] = {}
        self.successors: dict[str, IndexedNote] = {}
        self._catalogue = catalogue
        self._context = context
        self.learned = Learned.of(catalogue)
        self._notes = NoteCache(catalogue, self.learned)
        self._lexicon = Lexicon(catalogue, asked.words, self.learned, asked.kinds)
        self._gatherer = Gatherer(catalogue, asked, context, self._lexicon, self._notes)
        self._rarities = [concept.idf for concept in self._lexicon.concepts]
        self._matches: dict[str, TextMatches] = {}
        self._near: dict[str, float] = {}  # the highest cosine of a passage, where a model knows it
        self._labels: dict[str, float] = {}
        self._fill()

    def _fill(self) -> None:
        gathered = self._gatherer.candidates()
        self._notes.read(gathered)
        sessions = self._neighbours(gathered[:AROUND])
        nearby = [path for beside in sessions.values() for path in beside.around]
        self._notes.read(nearby, BESIDE_READS)
        self._read([*gathered, *sessions, *nearby])
        beside = self._gatherer.admitted(sessions.keys() - set(gathered))
        self._score([*gathered, *beside], sessions)
        self._lean_on_sessions()
        self._raise_changes()
        self._sink_replaced()
        for path, score in self.scores.items():
            self.scores[path] = _lowered(score, ranking.KIND_SHARES.get(self.kind(path), 1.0))

    # -- reading -------------------------------------------------------------------------------------------

    def _neighbours(self, paths: Sequence[str]) -> dict[str, Beside]:
        """path -> the notes beside it, for those paths and for the notes beside them."""
        own = self._beside(paths)
        nearest = {near for beside in own.values() for near in beside.nearest}
        further = sorted(nearest - own.keys())
        self._notes.read(further, BESIDE_READS)
        return own | self._beside(further)

    def _beside(self, paths: Sequence[str]) -> dict[str, Beside]:
        found = looked_up(self.learned.beside, paths, self._around, None)
        return {path: beside for path, beside in found.items() if beside}

    def _around(self, paths: Sequence[str]) -> dict[str, Beside | None]:
        self._notes.read(paths)
        neighbours = self._catalogue.neighbours([self._notes[path].text for path in paths], ranking.REACH)
        return {path: Beside.of(each) for path, each in neighbours.items()}

    def _read(self, paths: Sequence[str]) -> None:
        """Read notes, and find in them the words of the question."""
        wanted = dict.fromkeys(paths)
        self._notes.read(wanted)
        self._senses = self._lexicon.senses(self.learned.words)  # by token
        self._telling = frozenset(self._senses)  # the tokens that match a word of the question
        for path in wanted.keys() - self._matches.keys():
            words = self._notes[path].words
            found = words.bag & self._telling | self._notes[path].beside & self._telling
            nothing = ASKING if words.asks else NOTHING
            self._matches[path] = ranking.read(words, self._senses, found) if found else nothing

    # -- scoring -------------------------------------------------------------------------------------------

    def _score(self, paths: Sequence[str], sessions: Mapping[str, Beside]) -> None:
        """Score the notes, which have been read; those that have to do with the question become candidates."""
        likeness = self._likeness(paths)
        for path in paths:
            beside = sessions.get(path, ALONE)
            said = InSession(
                self._matches[path],
                [found for near in beside.around if (found := self._matches[near].body)],
                self._matches[beside.before] if beside.before else NOTHING,
                sum(self._notes[near].words.length for near in beside.around),
            )
            note = self._notes[path]
            apart = self._apart(note, likeness.get(path, 0.0))
            signals = ranking.signals(self._question, self._rarities, said, note, self._context.now, apart)
            if not ranking.EVIDENCE.isdisjoint(signals) or path in self._context.also:
                self.signals[path] = signals
                self.scores[path] = sum(signals.values())

    def _likeness(self, paths: Sequence[str]) -> Mapping[str, float]:
        """path -> how near a note, and the nearest of its session, are to the question by meaning, where known.

        A note is as near as its passages on average, and a little nearer for its best one: the more there are, the
        nearer the best of them is by chance. A short one depends more on its session.
        """
        model = self._context.likeness
        if model is None:
            return {}
        by_passage = model.of(self._question.text, paths)
        self._near = {path: max(each) for path, each in by_passage.items()}
        cosines = {
            path: BEST_SHARE * self._near[path] + (1 - BEST_SHARE) * sum(each) / len(each)
            for path, each in by_passage.items()
        }
        sessions = {path: self._notes[path].text.dialog or path for path in cosines}
        nearest: dict[str, float] = {}  # session -> the highest cosine in it
        for path, session in sessions.items():
            nearest[session] = max(nearest.get(session, cosines[path]), cosines[path])
        shares = {path: SESSION_SHARE / (1 + self._notes[path].words.length / SESSION_LENGTH) for path in cosines}
        return {
            path: model.weight * (cosine + shares[path] * (nearest[sessions[path]] - cosine))
            for path, cosine in cosines.items()
        }

    def _lean_on_sessions(self) -> None:
        """Raise the notes of a session towards its best one: they are about the same thing, in other words."""
        together: dict[str, list[str]] = {}
        for path in self.scores:
            together.setdefault(self._notes[path].text.dialog, []).append(path)
        together.pop("", None)
        for paths in together.values():
            best = max(map(self.scores.__getitem__, paths))
            for path in paths:
                if nearer := ranking.WEIGHTS["session"] * (best - self.scores[path]):
                    self.signals[path]["session"] = nearer
                    self.scores[path] += nearer

    def _apart(self, note: ReadNote, likeness: float) -> dict[str, float]:
        """The values of the signals for what a note has to do with the question apart from its words."""
        text = note.text
        named = () if note.label_words.isdisjoint(self._telling) else note.labels.items()
        subject = max([self._named_label(*label) for label in named], default=0.0)
        used, is_called = self._context.opened.get(text.id, 0), self._is_name_of(note)
        if not (subject or used or likeness or is_called or text.life):
            return {}
        salience = 0.0
        if text.life:
            from mdmem.note import decay

            salience = ranking.around_half(decay.effective(text.life, text.created, self._context.now))
        values = {"subject": subject, "salience": salience, "used": log(1 + used), "meaning": likeness}
        return {**values, "called": float(is_called)}

    def _is_name_of(self, note: ReadNote) -> bool:
        """Whether the question is the name, title or an alias of a memory."""
        if note.text.kind != MEMORY or not self._asked or self._asked[0] not in note.words.title:
            return False
        names = (stem(note.text.path), note.text.title, *note.text.aliases)
        return any(segment.words(name) == self._asked for name in names)

    def _named_label(self, label: str, words: Sequence[str]) -> float:
        """The rarity of a label, 0 if the question does not name all of it."""
        if label not in self._labels:
            senses = [self._senses.get(word) for word in words]
            is_named = bool(senses) and all(sense and sense.weight == 1.0 and not sense.idf for sense in senses)
            rarities = self.learned.labels
            if is_named and label not in rarities:
                expression = "tags : " + alike.match_expression([alike.run(label)])
                rarities[label] = ranking.idf(self._catalogue.matching(expression), self._lexicon.total)
            self._labels[label] = rarities[label] if is_named else 0.0
        return self._labels[label]

    def _raise_changes(self) -> None:
        """Put a short memory that tells of a change before an older one that it may be about.

        It is about one if it has each word of the question that the older has, or tells what has become of it.
        """
        best = sorted(self.scores, key=lambda path: (-self.scores[path], path))[:_CHANGED]
        told = {path: told for path in best if (told := self._told_by_change(path))}
        for older in [path for path in best if told and self._is_short(path)]:
            asked = self._concepts_of(older)
            created, score = self._notes[older].text.created, self.scores[older]
            for newer in told:
                is_newer = self._notes[newer].text.created > created
                if is_newer and asked and asked <= told[newer] and self.scores[newer] <= score:
                    self.signals[newer]["changes"] = score / _BEHIND - self.scores[newer]
                    self.scores[newer] = score / _BEHIND

    def _told_by_change(self, path: str) -> frozenset[int]:
        """The concepts that a short memory tells of that says that something has changed; none of any other."""
        if not self._is_short(path):
            return frozenset()
        said = f" {' '.join(self._notes[path].words.passages[0])} "
        answered = [words for phrase, words in _changes() if f" {phrase} " in said]
        also = {word for words in answered for word in words}
        concepts = [at for at, concept in enumerate(self._lexicon.concepts) if concept.word in also]
        return self._concepts_of(path).union(concepts) if answered else frozenset()

    def _is_short(self, path: str) -> bool:
        """Whether a candidate is a memory of one passage, and no turn of a dialog."""
        note = self._notes[path]
        return note.text.kind == MEMORY and len(note.words.passages) == 1 and not note.text.dialog

    def _concepts_of(self, path: str) -> frozenset[int]:
        """The concepts of the question that the text of a candidate has, or similar words for."""
        matches = self._matches[path]
        return frozenset({*matches.body, *matches.similar})

    def _sink_replaced(self) -> None:
        """Lower memories that are out of date or do not hold; a replaced memory ranks below its successor.

        A memory that a current one supersedes is also out of date, whatever its own status says.
        """
        before = dict(self.scores)
        superseded = self._superseded(list(before))
        outdated = []
        for path, score in before.items():
            text = self._notes[path].text
            status = "deprecated" if superseded[path] else text.status
            if status not in SINKS and not text.validity:
                continue
            holds = not text.validity or self._context.standing(text.validity).holds
            share = SINKS.get(status, 1.0) * (1.0 if holds else INVALID)
            if share < 1.0:
                self.scores[path] = _lowered(score, share)
            if status == "deprecated":
                outdated.append(path)
        for path in outdated:
            self._put_behind_successor(path, before[path])

    def _superseded(self, paths: Sequence[str]) -> dict[str, bool]:
        """Whether a current memory supersedes each candidate."""

        def ask(new: Sequence[str]) -> dict[str, bool]:
            memories = {path: self._notes[path].target for path in new if self.kind(path) == MEMORY}
            return dict.fromkeys(superseded_of(self._catalogue, memories), True)

        return looked_up(self.learned.superseded, paths, ask, False)

    def _put_behind_successor(self, path: str, score: float) -> None:
        """Make the memory that replaces one of that score a candidate, too, and rank it above that one."""
        record = self._catalogue.record(path)
        successor = successor_of(self._catalogue, record) if record else None
        if successor is None:
            return
        self.successors[path] = successor
        if successor.path not in self.scores and self._gatherer.admitted([successor.path]):
            self._read([successor.path])
            self.signals[successor.path] = {"replaces": score}
            status = self._notes[successor.path].text.status
            self.scores[successor.path] = _lowered(score, SINKS.get(status, 1.0))
        if successor.path in self.scores:
            self.scores[path] = min(self.scores[path], _lowered(self.scores[successor.path], _BEHIND))

    def kind(self, path: str) -> str:
        """The kind of a candidate, one of ALL_KINDS."""
        return self._notes[path].text.kind

    # -- results -------------------------------------------------------------------------------------------

    def bag(self, path: str) -> frozenset[str]:
        """The words of a candidate, by which repetitions are found."""
        return self._notes[path].words.bag

    def hit(self, record: IndexedNote, score: float, same: tuple[Hit, ...] = ()) -> Hit:
        """A candidate as it is found: its best passage, and the words of the question that it has.

        In the best line, similar words count where the word itself is missing.
        """
        path = record.path
        note, matches = self._notes[path], self._matches[path]
        first, passage = note.passage(ranking.by_passage(self._rarities, matches)[1].at)
        similar = {token for token, sense in self._senses.items() if sense.idf and sense.concept in matches.body}
        best = excerpt.best_passage(passage, self._telling - similar)
        concepts = self._lexicon.concepts
        labelled = {self._senses[token].concept for token in note.label_words if token in self._senses}
        has = {*matches.body, *matches.title, *matches.links, *matches.similar, *labelled}
        coverage = ranking.coverage(concepts, matches, labelled)
        if path in self._near:
            coverage = (coverage + max(self._near[path], 0.0)) / 2
        return Hit(
            record=record,
            score=score,
            signals=self.signals[path],
            line=record.file_line(first + best.line - 1),
            text=best.text,
            snippet=best.snippet,
            found=tuple(concept.word for at, concept in enumerate(concepts) if at in has),
            missing=tuple(concept.word for at, concept in enumerate(concepts) if at not in has),
            successor=self.successors[path].name if path in self.successors else "",
            reservation=self._context.standing(note.text.validity).reservation,
            same=same,
            coverage=coverage,
            lacks=question.lacks(self._question, passage),
        )


@cache
def _changes() -> tuple[tuple[str, Collection[str]], ...]:
    """(phrase, the words of a question that it answers beside its own), of `data/change_words.tsv`."""
    from mdmem.note import tsv

    rows = tsv.rows(__file__, "change_words.tsv", 2)
    return tuple((phrase, words.split()) for phrase, words in rows)


def _lowered(score: float, share: float) -> float:
    """A score of which only a share remains; a negative one falls by as much."""
    return score - (1 - share) * abs(score)
