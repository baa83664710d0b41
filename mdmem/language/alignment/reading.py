"""A text read for comparison: its sentences, and their content words by root, kind and place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence, Set
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from mdmem.language import roots
from mdmem.language.alignment import quantities
from mdmem.language.alignment.tables import (
    ABBREVIATIONS,
    BEGINNINGS,
    CHANGES,
    DENYING,
    TELLTALE,
    TONGUES,
    Tongue,
)
from mdmem.language.roots import folded
from mdmem.note import links
from mdmem.text import sentences as splitter
from mdmem.text import stopwords

_TOKEN = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*|[A-Z]+-\d+\b|\d+(?:[.,:/h-]\d+)*(?:s\b)?|°\s?[cCfF]\b|[^\W\d_]+(?:['’.][^\W\d_]+)*\d*|[%€$£°]|[,;:()–—!?]",
)
_INDEXED = re.compile(r"\d+(?:[.,:/h-]\d+)*|[^\W\d_]+(?:[.][^\W\d_]+)*\d*")  # the same without punctuation
_INDEXED_ASCII = re.compile(r"\d+(?:[.,:/h-]\d+)*|[a-z]+(?:\.[a-z]+)*\d*", re.A)  # faster, for most texts
_ELIDED = re.compile(r"\b(?:[ldnjscmt]|qu|lorsqu|puisqu|jusqu)['’]", re.I)
_CLAUSE_ENDS = frozenset(",;:()–—!?")
_CLAUSE_WORDS = {
    "en": frozenset("but because so although though otherwise since".split()),
    "de": frozenset("aber sondern weil sonst damit obwohl".split()),
    "es": frozenset("pero sino porque aunque".split()),
    "fr": frozenset("mais car sinon parce".split()),
}
_INVERTING = ("de", "es")  # an opening phrase is followed by the verb
_DOUBLE_NO = ("en", "de")  # two denials cancel each other in these languages
_SECOND = 2
_NOW = frozenset("now jetzt nun ahora ya maintenant desormais always still immer noch siempre toujours".split())
_LAST_OWNER = 2  # last place of a word whose "'s" shows what the sentence is about
_POSSESSIVE = re.compile(r"['’]s$")
_LEAST_TOLD = 1.0  # by one word of a single language, or several that two languages share
_TELLTALE = {name: frozenset(words) for name, words in TELLTALE.items()}
_TELLING = frozenset().union(*_TELLTALE.values())
_MOST_CHARS = 40_000  # characters of a text that are read
_MOST, _LONGEST = 2_000, 400  # words of a text and of a sentence: each is compared with each of another text
_PER_SENTENCE = 6  # words that cost as much as comparing a sentence with another one
_MOST_ROOTS = 1 << 17  # that are kept for each language
_LIMIT_WITHIN = 6  # words after a no among which "more than" makes it a limit


class Word(NamedTuple):
    """A content word: its plain text, its root and its kind.

    `kind` is "number", "time" (of day), "day" (a weekday or month), "name" (capital letter within a sentence) or
    "word". `at` is its place among the content words of its sentence, `clause` the number of its clause, from 0
    on. `bare` is a quantity without its unit, "" for other words.
    """

    text: str
    root: str
    kind: str
    at: int
    clause: int
    bare: str = ""


class ReadSentence(NamedTuple):
    """A sentence as it was written, and its content words.

    `verb` is the place of the first word after the verb or colon: the words before it are the key. `denied` are
    the clauses that contain a denial, `leading` is how many words an opening phrase has ("In winter ..."),
    `narrowing` are the clauses in which "only", "unless", "if" or the like follows a content word, `changes` is
    whether the sentence tells of a change.
    """

    text: str
    words: tuple[Word, ...]
    verb: int
    leading: int
    denied: frozenset[int]
    narrowing: tuple[int, ...]
    changes: bool

    @property
    def key(self) -> tuple[Word, ...]:
        """What the sentence is about: the words before its verb."""
        return self.words[: self.verb]

    def denies(self, word: Word) -> bool:
        """Whether the clause of a word contains a denial."""
        return word.clause in self.denied


class Reading(NamedTuple):
    """A text read: its language ("en", "de", "es", "fr") and its sentences that have content words.

    `is_whole` is false for a text too long to be read to its end.
    """

    tongue: str
    sentences: tuple[ReadSentence, ...]
    is_whole: bool = True

    @property
    def words(self) -> tuple[Word, ...]:
        """All words of all sentences."""
        return tuple(word for sentence in self.sentences for word in sentence.words)

    @property
    def roots(self) -> frozenset[str]:
        """The root of each word."""
        return frozenset(word.root for word in self.words)


plain = lru_cache(1 << 16)(folded)  # of single words, most of which recur


def tokens(text: str) -> list[str]:
    """The words, numbers and marks of a text as they are written, without the targets of links."""
    said, _ = links.apart(text)
    found = _TOKEN.findall(_ELIDED.sub(" ", said) if "'" in said or "’" in said else said)
    return [token[:-1] if token[0].isdigit() and token[-1] == "s" else token for token in found]


def tongue_of(said: Set[str]) -> str:
    """The language of plain words; English if none of them is typical of one."""
    telling = said & _TELLING
    score = {name: sum(map(TELLTALE[name].__getitem__, telling & known)) for name, known in _TELLTALE.items()}
    best = max(score, key=lambda name: (score[name], name == "es"))
    return best if score[best] >= _LEAST_TOLD else "en"


def read(text: str) -> Reading:
    """Read a text for comparison; of a very long one the beginning, as each word meets each of the other text."""
    return _read(text.strip()[: _MOST_CHARS + 1])


@lru_cache(2048)  # a note is compared with several others, by more than one gardener
def _read(text: str) -> Reading:
    said = [(part, tokens(part)) for part in splitter.split(text, also=";")]
    counts = list(accumulate(len(written) + _PER_SENTENCE for _, written in said))
    parts = [(part, written[:_LONGEST]) for part, written in said[: bisect_left(counts, _MOST) + 1]]
    is_whole = len(text) <= _MOST_CHARS and parts == said
    tongue = tongue_of({plain(token) for _, written in parts for token in written})
    found = (_SentenceReader(written, tongue).read(part) for part, written in parts)
    return Reading(tongue, tuple(sentence for sentence in found if sentence.words), is_whole)


@cache
def _days(tongue: str) -> dict[str, str]:
    """Weekdays and months of a language -> their roots, the same in all languages."""
    table = TONGUES[tongue]
    days = {name: f"day:{at}" for at, names in enumerate(table.days) for name in names.split()}
    return days | {name: f"month:{at}" for at, names in enumerate(table.months) for name in names.split("/")}


class _Roots(dict[str, str]):
    """A cache of the roots of plain words in one language."""

    def __init__(self, tongue: str) -> None:
        self._tongue = tongue

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_ROOTS:
            self.clear()
        found = self[word] = _root(word, self._tongue)
        return found


_ROOTS = {name: _Roots(name) for name in TONGUES}


def root(word: str, tongue: str) -> str:
    """The root of a plain word in a language, which its forms have in common; "" if it carries no sense."""
    return _ROOTS[tongue][word]


def _root(word: str, tongue: str) -> str:
    table = TONGUES[tongue]
    if word in table.silent or word in DENYING[tongue]:
        return ""
    days = _days(tongue)
    day = days.get(word) or days.get(word.removesuffix("s"))
    if day:
        return day
    if word in table.numbers:
        return str(table.numbers[word])
    word = ABBREVIATIONS.get(word, word)
    if tongue == "en":
        return "" if word in stopwords.COMPARISON else roots.root(roots.singular(word))
    return roots.stem(word, tongue)


class _SentenceReader:
    """Reads the tokens of one sentence, word by word."""

    def __init__(self, written: Sequence[str], tongue: str) -> None:
        self._written = written
        self._said = [plain(token) for token in written]
        self._tongue = tongue
        self._table = TONGUES[tongue]
        self._denying = DENYING[tongue]
        self._words: list[Word] = []
        self._clause = self._leading = 0
        self._verb = self._owner = -1
        self._noes: Counter[int] = Counter()
        self._narrowing: list[int] = []

    def read(self, text: str) -> ReadSentence:
        """The sentence `text`, whose tokens this reader was given."""
        at = 0
        while at < len(self._said):
            at += self._step(at)
        doubles = self._tongue in _DOUBLE_NO
        denied = frozenset(clause for clause, count in self._noes.items() if count % 2 or not doubles)
        verb = self._verb if self._verb >= 0 else min(self._likely_key, len(self._words))
        return ReadSentence(
            text,
            tuple(self._words),
            verb,
            self._leading,
            denied,
            tuple(self._narrowing),
            changes=changes(text, self._tongue),
        )

    def _step(self, at: int) -> int:
        """Read what begins at a token; return how many tokens it takes."""
        word = self._said[at]
        if word in _CLAUSE_ENDS or word in _CLAUSE_WORDS[self._tongue]:
            self._end_clause(word)
            return 1
        quantity = quantities.quantity(self._said, at, self._tongue)
        if quantity:
            text = " ".join(self._written[at : at + quantity.length])
            self._add(text, quantity.root, quantity.kind, quantity.bare)
            if self._verb < 0 and self._is_designation(at + quantity.length):
                self._verb = len(self._words)
            return quantity.length
        self._note_grammar(at)
        rooted = root(word, self._tongue)
        if rooted:
            if self._owner < 0 and _POSSESSIVE.search(self._written[at]):
                self._owner = len(self._words)
            self._add(word, rooted, _kind(self._written, at, rooted, self._tongue))
        return 1

    def _add(self, text: str, root: str, kind: str, bare: str = "") -> None:
        self._words.append(Word(text, root, kind, len(self._words), self._clause, bare))

    def _is_designation(self, end: int) -> bool:
        """Whether the number read last says which one of several the sentence is about: "Room 12 now seats 40"."""
        behind = end + (end < len(self._said) and self._said[end] in _NOW)
        is_second = (
            len(self._words) == _SECOND and end <= _SECOND + 1 and self._words[1].root == self._words[1].bare
        )
        return is_second and behind < len(self._said) and bool(root(self._said[behind], self._tongue))

    def _end_clause(self, mark: str) -> None:
        said_before = len(self._words)
        self._clause += bool(said_before)
        if self._is_led and not self._leading:
            self._leading = said_before
        if mark == ":" and self._verb < 0 and said_before:
            self._verb = said_before

    def _note_grammar(self, at: int) -> None:
        """Note what a function word does in its clause: it denies, narrows, or ends the key."""
        word = self._said[at]
        if word in self._denying and not _is_limit(self._said, at, self._table):
            self._noes[self._clause] += 1
        if word in self._table.narrowing and self._words:
            self._narrowing.append(self._clause)
        if self._verb < 0 and self._words and word in self._table.verbs:
            self._verb = len(self._words)
            if self._is_led and not self._leading:  # no comma ends the phrase, but in some languages the verb does
                self._leading = self._verb if self._tongue in _INVERTING else 1

    @property
    def _likely_key(self) -> int:
        """How many words the key has if no verb is known: one, or those up to what an early owner owns."""
        return self._owner + _SECOND if 0 <= self._owner <= _LAST_OWNER else 1

    @property
    def _is_led(self) -> bool:
        return self._said[0] in self._table.leading


@cache
def _changing(tongue: str) -> re.Pattern[str]:
    phrases = sorted({*CHANGES[tongue]} - BEGINNINGS, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b")


def changes(text: str, tongue: str) -> bool:
    """Whether a text has words of change: no longer, moved to, jetzt, ya no, désormais."""
    return bool(_changing(tongue).search(folded(text)))


def _is_limit(said: Sequence[str], at: int, table: Tongue) -> bool:
    """Whether a no sets a limit ("no more than three") instead of denying something."""
    behind = said[at + 1 : at + 1 + _LIMIT_WITHIN]
    pairs = {*((word,) for word in behind[:1]), *pairwise(behind)}
    return not pairs.isdisjoint(table.limiting)


def _kind(written: Sequence[str], at: int, rooted: str, tongue: str) -> str:
    if rooted.startswith(("day:", "month:")):
        return "day"
    is_inside = at > 0 and (written[at - 1] not in ".!?:" or _is_whole_value(written, at))
    has_capital = written[at][:1].isupper()
    return "name" if has_capital and is_inside and tongue != "de" else "word"


def _is_whole_value(written: Sequence[str], at: int) -> bool:
    """Whether a word is all that follows a colon: "Editor: Neovim"."""
    return written[at - 1] == ":" and (at + 1 == len(written) or written[at + 1] in _CLAUSE_ENDS)


def telling(text: str) -> set[str]:
    """The roots of the content words of a text: for an index of many texts, without any grammar."""
    said, _ = links.apart(text)
    said = _ELIDED.sub(" ", said) if "'" in said or "’" in said else said
    lower = folded(said)
    words = set((_INDEXED_ASCII if lower.isascii() else _INDEXED).findall(lower))
    found = set(map(_ROOTS[tongue_of(words)].__getitem__, words))
    found.discard("")
    return found
