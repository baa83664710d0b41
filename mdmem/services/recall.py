"""Recall: from a question to the memories that answer it, each with its reasons.

Two steps. The index gathers candidates by BM25; `core.ranking` then reads each candidate, and the notes
around it in its session, and scores it. How much is gathered is bounded, so that a question of common words
costs no more in a large vault than it must.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from mdmem.core import dates, decay, filters, moments, naming, passage, question, ranking, segment, words
from mdmem.core.filters import Filter
from mdmem.core.memory import stem
from mdmem.core.properties import PROPERTIES
from mdmem.core.question import Question
from mdmem.core.ranking import NOTHING, Concept, Facts, Sense
from mdmem.store.catalogue import Catalogue, NoteText, Record, fold_target

POOL = 200  # candidates that are read and scored
POSTINGS = 25_000  # notes that may be weighed to gather them: the rarest words of the question first
DATED = 60  # further candidates from around a date that the question names
_YEARS = 10  # back to which a date without a year is looked for
AROUND = 60  # best candidates whose neighbours of the same session become candidates, too
SINKS = {"deprecated": 0.5, "retracted": 0.5, "contested": 0.9}  # what remains of the score of such a memory
_NEAR_LENGTH, _LONG, _NEAR_COUNT = 5, 8, 3  # words from 5 letters on may hold 1 slip, from 8 on 2
_BEGINNING = 0.5  # weight of a word that only begins like the one asked for
_TYPO = 0.8
_DERIVED = frozenset({"name", "path", "tag"})  # what filters may ask besides properties


class Hit(NamedTuple):
    """A recalled memory. `score` orders one answer and has no unit; `signals` add up to it before sinking.

    `line` (1-based, in the file) is that of the best passage, `snippet` that line with the words that matched
    between passage.OPEN and CLOSE. `successor` names the memory that replaces it, "" if none does.
    """

    record: Record
    score: float
    signals: Mapping[str, float]
    line: int
    snippet: str
    successor: str = ""


def recall(
    catalogue: Catalogue,
    texts: Sequence[str],
    now: datetime,
    conditions: Sequence[Filter] = (),
    limit: int = 10,
    used: Mapping[str, int] | None = None,
) -> list[Hit]:
    """The memories that best answer a question, best first.

    `texts` are one or more wordings of the question; a memory counts by its best. With no words in them, the
    newest that pass `conditions` are given. `used` is how often memories were recalled before, by id.
    """
    asked = [question.parse(text, _Known(catalogue), now.year) for text in texts]
    asked = [one for one in asked if not one.is_empty or one.filters] or asked[:1]
    if all(one.is_empty for one in asked):
        every = [*conditions, *(condition for one in asked for condition in one.filters)]
        return [_bare_hit(record) for record in listing(catalogue, every, newest=True, limit=limit)]
    pools = [_Pool(catalogue, one, conditions, now, used or {}) for one in asked if not one.is_empty]
    best: dict[int, tuple[_Pool, float]] = {}
    for pool in pools:
        for rowid, score in pool.scores.items():
            if rowid not in best or score > best[rowid][1]:
                best[rowid] = (pool, score)
    ranked = sorted(best.items(), key=lambda item: (-item[1][1], item[1][0].texts[item[0]].path))
    order = ranking.diverse([(score, pool.bag(rowid)) for rowid, (pool, score) in ranked], limit)
    chosen = {ranked[at][0]: ranked[at][1] for at in order}
    records = catalogue.by_rowid(list(chosen))
    return [chosen[record.rowid][0].hit(record, chosen[record.rowid][1]) for record in records]


def candidates(catalogue: Catalogue, text: str, limit: int) -> list[Record]:
    """The memories that share most words with a text, for comparing them closer."""
    asked = question.parse(text, ())
    if asked.is_empty:
        return []
    return catalogue.by_rowid(catalogue.search(question.match_expression(asked.words), limit))


def listing(
    catalogue: Catalogue, conditions: Iterable[Filter], newest: bool = False, limit: int | None = None
) -> list[Record]:
    """The memories that pass every filter, by path or the newest first."""
    wanted = list(conditions)
    found: list[Record] = []
    for record in catalogue.newest() if newest else catalogue.records():
        if limit is not None and len(found) == limit:
            break
        if passes(record, wanted):
            found.append(record)
    return found


def passes(record: Record, conditions: Sequence[Filter]) -> bool:
    """Whether a memory meets all conditions."""
    if not conditions:
        return True
    seen = properties(record)
    return all(filters.accepts(condition, seen) for condition in conditions)


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


class _Known:
    """The names that a query may use as `name:value`: known properties, and those that some memory has."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def __contains__(self, key: object) -> bool:
        known = key in PROPERTIES or key in _DERIVED
        return known or (isinstance(key, str) and self._catalogue.has_property(key))


class _Pool:
    """The candidates for one wording of a question, read and scored."""

    def __init__(
        self,
        catalogue: Catalogue,
        asked: Question,
        conditions: Sequence[Filter],
        now: datetime,
        used: Mapping[str, int],
    ) -> None:
        self.catalogue = catalogue
        self.question = asked
        self.conditions = [*conditions, *asked.filters]
        self.now = now
        self.used = used
        self.lexicon = _Lexicon(catalogue, asked.words)
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
        rowids = list(dict.fromkeys([*rowids[:POOL], *self._dated(expression)]))
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
            self.now,
        )

    def _facts(self, text: NoteText) -> Facts:
        life = text.life
        return Facts(
            title=text.title,
            body=text.body,
            created=moments.parse(text.created),
            subjects=frozenset(naming.fold(subject) for subject in (*text.tags, text.topic) if subject),
            importance=decay.number(life.get("importance")),
            salience=decay.effective(life, text.created, self.now),
            pinned=life.get("pinned") is True,
            used=self.used.get(text.id, 0),
        )

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

    def hit(self, record: Record, score: float) -> Hit:
        """A candidate as a result."""
        matches = {token for token, sense in self.senses.items() if not sense.idf}
        best = passage.best(self.texts[record.rowid].body, matches)
        line = record.body_line + best.line - 1
        signals = self.signals[record.rowid]
        return Hit(record, score, signals, line, best.snippet, self.successors.get(record.rowid, ""))


def _bare_hit(record: Record) -> Hit:
    return Hit(record, 0.0, {}, record.body_line, "")


class _Lexicon:
    """What the words of a question are in a vault: how rare, and which words of notes mean them."""

    def __init__(self, catalogue: Catalogue, asked: Sequence[str]) -> None:
        self._catalogue = catalogue
        self._total = catalogue.count()
        variants = [(word, list(words.forms(word)), list(words.synonyms(word))) for word in asked]
        every = sorted({form for _, forms, similar in variants for form in (*forms, *similar)} | set(asked))
        stems = catalogue.stems(every)
        self._frequencies = catalogue.frequencies(sorted(set(stems.values())))
        self.concepts: list[Concept] = []
        self._senses: dict[str, Sense] = {}  # by stem
        for at, (word, forms, similar) in enumerate(variants):
            own = {stems[form]: 1.0 for form in (word, *forms) if form in stems}
            own |= {
                found: weight for found, weight in self._stand_ins(stems.get(word, word), own) if found not in own
            }
            frequency = min(self._total, sum(self._frequencies.get(found, 0) for found in own))
            self.concepts.append(Concept(word, ranking.idf(frequency, self._total)))
            for found, weight in own.items():
                self._senses.setdefault(found, Sense(at, weight))
            for form in similar:
                found = stems.get(form, form)
                if found not in self._senses and found in self._frequencies:
                    rarity = ranking.idf(self._frequencies[found], self._total)
                    self._senses[found] = Sense(at, 1.0, rarity)
        spoken = {stem: word for word, stem in stems.items()}
        apart = catalogue.stems([found for found in self._senses if found not in spoken])
        spoken |= {found: found for found, again in apart.items() if again == found}
        self._spoken = spoken  # stem -> a word that FTS5 would make that stem of

    def _stand_ins(self, wanted: str, own: Mapping[str, float]) -> list[tuple[str, float]]:
        """Words that begin like the wanted one; if no note has it or such a word, the nearest by spelling."""
        if len(wanted) < 4 or wanted.isdigit():
            return []
        beginning = [
            found for found in self._catalogue.vocabulary(wanted, wanted + "\U0010ffff") if found not in own
        ]
        self._frequencies |= self._catalogue.frequencies(beginning[:20])
        if beginning or any(found in self._frequencies for found in own):
            return [(found, _BEGINNING) for found in beginning[:20]]
        near = self._nearest(wanted)
        self._frequencies |= self._catalogue.frequencies(near)
        return [(found, _TYPO) for found in near]

    def _nearest(self, wanted: str) -> list[str]:
        if len(wanted) < _NEAR_LENGTH:
            return []
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        most = 1 if len(wanted) < _LONG else 2
        for first, last in ((wanted[0], chr(ord(wanted[0]) + 1)), ("", "\U0010ffff")):
            known = self._catalogue.vocabulary(first, last)
            found = process.extract(wanted, known, scorer=OSA.distance, score_cutoff=most, limit=_NEAR_COUNT)
            if found:
                return [name for name, _, _ in found]
        return []

    def expression(self, asked: Question) -> str:
        """The FTS5 expression that gathers candidates: the rarest words, until POSTINGS notes are weighed."""
        by_rarity = sorted(self._senses, key=lambda found: (self._frequencies.get(found, 0), found))
        terms: list[str] = []
        weighed = 0
        for found in by_rarity:
            frequency = self._frequencies.get(found, 0)
            if frequency and found in self._spoken and (not terms or weighed + frequency <= POSTINGS):
                terms.append(self._spoken[found])
                weighed += frequency
        expression = question.match_expression(terms or asked.words)
        if asked.phrases and asked.only_phrases:
            expression = " AND ".join(f'"{" ".join(question.words(phrase))}"' for phrase in asked.phrases)
        if asked.without:
            expression = f"({expression}) NOT ({question.match_expression(asked.without)})"
        return expression

    def senses(self, texts: Iterable[Sequence[str]]) -> dict[str, Sense]:
        """token -> what it means to the question, for every token of the texts that means something."""
        beginnings = {found[:2] for found in self._senses}
        tokens = {token for text in texts for token in text}
        likely = sorted(token for token in tokens if token[:2] in beginnings or not token.isascii())
        stems = self._catalogue.stems(likely)
        return {token: self._senses[found] for token, found in stems.items() if found in self._senses}
