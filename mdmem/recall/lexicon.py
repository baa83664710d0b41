"""The words of a question in a vault: how rare they are, and which words of notes mean the same."""

from collections.abc import Collection, Mapping, Sequence

from mdmem.language import words
from mdmem.note import segment, stopwords
from mdmem.recall import score
from mdmem.recall.question import Question
from mdmem.recall.reading import Learned, WordsRead, looked_up
from mdmem.recall.score import QueryWord, WordMatch
from mdmem.store.index import alike
from mdmem.store.index.port import Catalogue

POSTINGS = 25_000  # notes that may be weighed to gather candidates: the rarest words of the question first
_NEAR_LENGTH, _LONG, _NEAR_COUNT = 5, 8, 3  # words from 5 letters on may have 1 typo, from 8 on 2
_BEGIN_LENGTH, _BEGIN_COUNT = 4, 20  # words from 4 letters on may be the beginning of one
_PART_LENGTH, _REST_LENGTH = 5, 3  # letters of a part of a compound, and of what is left beside it
_BEGINNING = 0.5  # weight of a word that only begins like the one asked for
_TYPO = 0.8
_SHORT = 2  # letters: such a word is only itself, though Porter makes it the stem of longer ones ("id" of "IDE")


class Lexicon:
    """The words of one question, looked up.

    `concepts` are its words in order, each once: "plans" and "plan" are one. A word of a note means the concept of
    which it is a form. If there is none, it means one that it begins with or is a typo of; if there is none
    either, one with the same meaning, or the kind asked for if it names a thing of that kind.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        asked: Sequence[str],
        learned: Learned | None = None,
        kinds: Collection[str] = (),
    ) -> None:
        """`learned` is what is kept for the current state of the catalogue, if the caller has looked it up.

        `kinds` are the words of the question that name a kind of thing.
        """
        self._catalogue = catalogue
        self._learned = learned or Learned.of(catalogue)
        self.total = self._learned.total
        every = {form for word in asked for form in (word, *words.forms(word), *words.synonyms(word))}
        self._things = {word: words.of_kind(word) for word in kinds}
        every.update(*self._things.values())
        self._stems = catalogue.stems(sorted(every))
        self._frequencies = self._learned.frequencies
        self._count(set(self._stems.values()))
        self._senses: dict[str, WordMatch] = {}  # by stem
        self._short = {form for form in every if len(form) <= _SHORT}
        concepts = self._distinct(asked)
        wanted = [self._stems.get(word, word) for word in concepts]
        beginning = self._vocabulary([stem for stem in wanted if _may_begin(stem)])
        for at, stem in enumerate(wanted):
            for found, weight in self._stand_ins(stem, at, beginning) if _may_begin(stem) else ():
                self._senses.setdefault(found, WordMatch(at, weight))
        self.concepts = [self._weighed(word, at) for at, word in enumerate(concepts)]
        for at, word in enumerate(concepts):
            self._add_similar(word, at)
        self._spoken = self._speak()

    def _distinct(self, asked: Sequence[str]) -> list[str]:
        """The words that are not forms of an earlier one; also notes what their forms mean."""
        kept: list[str] = []
        for word in asked:
            if self._stems.get(word) in self._senses:
                continue
            for form in (word, *words.forms(word)):
                if form in self._stems:
                    self._senses.setdefault(self._stems[form], WordMatch(len(kept), 1.0))
            kept.append(word)
        return kept

    def _stand_ins(
        self, wanted: str, at: int, beginning: Mapping[str, Mapping[str, int]]
    ) -> list[tuple[str, float]]:
        """(stem, weight) of stems that begin with the wanted one.

        If there is none and no note has the wanted one: the nearest, or else its parts.
        """
        longer = self._most_frequent(beginning[wanted])
        known = any(sense.concept == at and self._frequencies.get(found) for found, sense in self._senses.items())
        if longer or known:
            return [(found, _BEGINNING) for found in longer]
        if near := self._nearest(wanted):
            self._count(near)
            return [(found, _TYPO) for found in near]
        return [(found, _BEGINNING) for found in self._parts(wanted)]

    def _parts(self, wanted: str) -> list[str]:
        """The longest stems that a compound begins and ends with: Samstagsausfahrt -> samstag, ausfahrt."""
        if not wanted.isalpha():
            return []
        splits = range(_PART_LENGTH, len(wanted) - _REST_LENGTH + 1)
        heads = [wanted[:at] for at in reversed(splits)]
        tails = [wanted[-at:] for at in reversed(splits)]
        known = self._count({*heads, *tails})
        longest = (next((part for part in parts if known[part]), "") for parts in (heads, tails))
        return [part for part in longest if part]

    def _most_frequent(self, frequencies: Mapping[str, int]) -> list[str]:
        others = [found for found in frequencies if found not in self._senses]
        chosen = sorted(others, key=lambda found: (-frequencies[found], found))[:_BEGIN_COUNT]
        self._frequencies |= {found: frequencies[found] for found in chosen}
        return chosen

    def _nearest(self, wanted: str) -> list[str]:
        """The stems nearest in spelling, among those with the same first letter, else with a typo there."""
        if len(wanted) < _NEAR_LENGTH:
            return []
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        most = 1 if len(wanted) < _LONG else 2
        for beginnings in ([wanted[0]], _slipped(wanted)):
            known = [name for names in self._vocabulary(beginnings).values() for name in names]
            found = process.extract(wanted, known, scorer=OSA.distance, score_cutoff=most, limit=_NEAR_COUNT)
            if found:
                return [name for name, _, _ in found]
        return []

    def _vocabulary(self, beginnings: Sequence[str]) -> dict[str, Mapping[str, int]]:
        """beginning -> how many notes have each stem with that beginning.

        The cost of asking grows with the number of these stems.
        """
        return looked_up(self._learned.vocabulary, beginnings, self._catalogue.vocabulary, {})

    def _count(self, stems: Collection[str]) -> Mapping[str, int]:
        """stem -> how many notes have it."""
        return looked_up(self._frequencies, sorted(stems), self._catalogue.frequencies, 0)

    def _weighed(self, word: str, at: int) -> QueryWord:
        frequency = self._frequency(at)
        idf = score.idf(min(self.total, frequency), self.total)
        told = idf + score.FAIRLY_RARE
        is_no_word = segment.is_unspaced(word) and not frequency  # where two words meet
        if is_no_word or word in stopwords.faint(verbs=True):
            told *= score.FAINT
        return QueryWord(word, idf * score.FAINT if word in stopwords.faint() else idf, told)

    def _frequency(self, at: int) -> int:
        """How many notes have a concept, at most; some may be counted twice."""
        stems = [found for found, sense in self._senses.items() if sense.concept == at]
        own = [found for found in stems if len(found) > _SHORT or found in self._short] or stems
        return sum(self._frequencies.get(found, 0) for found in own)

    def _add_similar(self, word: str, at: int) -> None:
        for form in (*words.synonyms(word), *self._things.get(word, ())):
            found = self._stems.get(form, form)
            if found not in self._senses and self._frequencies.get(found):
                self._senses[found] = WordMatch(at, 1.0, score.idf(self._frequencies[found], self.total))

    def _speak(self) -> Mapping[str, str]:
        """stem -> a word that FTS5 reduces to it; few stems are not their own, such as "abus" of "abuse"."""
        spoken = {found: word for word, found in self._stems.items()}
        tries = [try_ for found in self._senses if found not in spoken for try_ in (found + "e", found)]
        return spoken | {found: word for word, found in self._catalogue.stems(tries).items()}

    def expression(self, asked: Question, most: int = POSTINGS) -> str:
        """The FTS5 expression that gathers candidates, with the rarest words of the question.

        These occur in up to `most` notes together (-1: no limit), each of which has to be weighed.
        """
        terms: list[str] = []
        weighed = 0
        for found in sorted(self._senses, key=lambda found: (self._frequencies.get(found, 0), found)):
            frequency = self._frequencies.get(found, 0)
            if frequency and found in self._spoken and (not terms or most < 0 or weighed + frequency <= most):
                terms.append(self._spoken[found])
                weighed += frequency
        expression = alike.match_expression(terms or asked.words)
        if asked.only_phrases:
            expression = " AND ".join(alike.match_expression([alike.run(phrase)]) for phrase in asked.phrases)
        if asked.without:
            expression = f"({expression}) NOT ({alike.match_expression(asked.without)})"
        return expression

    def senses(self, read: WordsRead) -> dict[str, WordMatch]:
        """word -> what it means to the question, for every word read that means something to it."""
        return {
            word: self._senses[found]
            for word, found in read.of_stems(self._senses, self._catalogue)
            if self._may_mean(word, found)
        }

    def _may_mean(self, token: str, found: str) -> bool:
        """Whether a token means what its stem was asked for: a short word and a longer one never match."""
        return (
            len(found) > _SHORT or segment.is_unspaced(found) or (len(token) <= _SHORT) == (found in self._short)
        )


def _may_begin(stem: str) -> bool:
    """Whether a stem says enough to stand for those that begin with it."""
    return not stem.isdigit() and (len(stem) >= _BEGIN_LENGTH or segment.is_unspaced(stem))


def _slipped(word: str) -> list[str]:
    """The beginnings of the words that may be meant if the first letter is a typo: Xord, Xword, ord, owrd.

    Reading all words of a large vault instead would take a second.
    """
    first, second = word[0], word[1]
    block = ord(first) & ~0x7F  # where the letters of one alphabet stand
    letters = [
        letter for letter in map(chr, range(block, block + 0x80)) if letter.isalpha() and letter == letter.lower()
    ]
    beginnings = [second, *(letter + end for letter in letters for end in (first, second))]
    return [one for one in dict.fromkeys(beginnings) if one[0] != first and (one == second or one[0] != second)]
