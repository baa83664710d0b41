"""What the words of a question are in a vault: how rare, and which words of notes mean them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mdmem.core import question, ranking, words
from mdmem.core.question import Question
from mdmem.core.ranking import Concept, Sense
from mdmem.store.catalogue import Catalogue

POSTINGS = 25_000  # notes that may be weighed to gather candidates: the rarest words of the question first
_NEAR_LENGTH, _LONG, _NEAR_COUNT = 5, 8, 3  # words from 5 letters on may hold 1 slip, from 8 on 2
_BEGINNING = 0.5  # weight of a word that only begins like the one asked for
_TYPO = 0.8


class Lexicon:
    """The words of one question, looked up."""

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
