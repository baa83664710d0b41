"""Which of many regular expressions may match a text: told by plain words, so that few of them have to be tried.

Of each pattern some texts are known of which every match has one, such as "no longer" or "obsolete". They are read
off the pattern itself. A pattern of which nothing is known is always tried.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain, product
from typing import Any

from mdmem.text.patterns import late

_parser: Any = import_module("re._parser")  # the only place where Python tells what a pattern is made of

_MANY = 200  # words inside of others, from which on it is sooner to look them up by their beginnings
_BEGINNING = 4  # letters
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")

Needed = frozenset[str]  # texts of which every match has at least one
_LEAST = 2  # characters of a text that is worth looking for
_MOST_WAYS = 16  # to take one part of each branch, beyond which only the part that tells most is taken


class Sieve:
    """The words by which each pattern of a table is known; `Sieve(patterns).may_match(text)` are places in it.

    A pattern is compiled when it may match for the first time.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [late(pattern) for pattern in patterns]
        self.may_match = NeededWords([needed(pattern)] for pattern in patterns).may_match

    def likely(self, text: str) -> list[re.Pattern[str]]:
        """The patterns that may match a text, in their order."""
        return [self._patterns[at] for at in self.may_match(text)]

    def pattern(self, at: int) -> re.Pattern[str]:
        """The pattern at a place."""
        return self._patterns[at]


class NeededWords:
    """What the rows of a table need in a text: of each of some sets of words at least one."""

    def __init__(self, rows: Iterable[Sequence[Needed]]) -> None:
        numbers: dict[Needed, int] = defaultdict(lambda: len(numbers))
        self._rows: list[frozenset[int]] = []  # the numbers of the sets that each needs
        self._free: list[int] = []  # places of the rows of which nothing is known
        self._led: dict[int, list[int]] = defaultdict(list)  # number of a set -> the rows of which it tells most
        for at, row in enumerate(rows):
            telling = [words for words in row if _tells(words)]
            self._rows.append(frozenset(map(numbers.__getitem__, telling)))
            most = max(telling, key=_worth, default=None)
            (self._free if most is None else self._led[numbers[most]]).append(at)
        self._meets: dict[str, list[int]] = defaultdict(list)  # word -> the numbers of the sets that have it
        for words, number in numbers.items():
            for word in words:
                self._meets[word].append(number)
        self._is_large = sum(not word.startswith(" ") for word in self._meets) > _MANY
        self._always: list[str] = []  # words that are looked for in each text
        self._begun: dict[str, list[str]] = defaultdict(list)  # how the others begin -> these words
        for word in self._meets:
            beginning = self._beginning(word)
            (self._begun[beginning] if beginning else self._always).append(word)

    def _beginning(self, word: str) -> str:
        """How the parts of a text begin in which a word can be; "" if that cannot be told."""
        if self._is_large:
            return word[:_BEGINNING] if len(word) >= _BEGINNING else ""
        before, blank, part = word.partition(" ")
        is_whole = " " in part
        part = part.partition(" ")[0]
        return part[:_BEGINNING] if blank and not before and (is_whole or len(part) >= _BEGINNING) else ""

    def may_match(self, text: str) -> list[int]:
        """The places of the rows that may match a text, in their order; all others do not."""
        met: set[int] = set()
        for word in chain(self._always, *map(self._begun.__getitem__, self._parts(text) & self._begun.keys())):
            if word in text:
                met.update(self._meets[word])
        led = (at for number in met & self._led.keys() for at in self._led[number] if self._rows[at] <= met)
        return sorted(chain(self._free, led))

    def _parts(self, text: str) -> set[str]:
        """How the parts of a text begin in which words are looked for: anywhere, or behind a blank."""
        if self._is_large:
            return {text[at : at + _BEGINNING] for at in range(len(text) - _BEGINNING + 1)}
        return {part[:_BEGINNING] for part in text.split(" ")}


def _tells(words: Needed) -> bool:
    return min(map(len, words), default=0) >= _LEAST


def needed(pattern: str) -> Needed:
    """Texts of which every match of a pattern has at least one; none if nothing can be told."""
    words = max(all_needed(pattern), key=_worth, default=frozenset())
    return frozenset(word for word in words if not any(other in word for other in words - {word}))


def all_needed(pattern: str) -> list[Needed]:
    """Sets of texts, of each of which every match of a pattern has at least one."""
    parsed = _parser.parse(pattern)
    return [] if parsed.state.flags & re.IGNORECASE else list(_of_parts(parsed))


def _worth(words: Needed) -> tuple[int, int]:
    """What tells more is longer, and of two as long there are fewer."""
    return min(map(len, words), default=0), -len(words)


def _of_parts(parts: Iterable[tuple[Any, Any]]) -> Iterator[Needed]:
    """What the parts of a pattern need that follow each other."""
    run = ""
    for kind, value in parts:
        if kind.name == "LITERAL":
            run += chr(value)
            continue
        if run and kind.name != "AT":
            yield frozenset((run,))
            run = ""
        yield from _of_part(kind.name, value)
    if run:
        yield frozenset((run,))


def _of_part(kind: str, value: Any) -> Iterator[Needed]:
    if kind == "BRANCH":
        yield from _of_branches([list(_of_parts(branch)) for branch in value[1]])
    elif kind in _REPEATS:
        least, _, repeated = value
        yield from _of_parts(repeated) if least else ()
    elif kind == "SUBPATTERN":
        _, flags, _, inside = value
        yield from () if flags & re.IGNORECASE else _of_parts(inside)
    elif kind == "ASSERT":
        yield from _of_parts(value[1])


def _of_branches(branches: Sequence[Sequence[Needed]]) -> Iterator[Needed]:
    """Whichever branch is taken, one of its words is there, so one of all their words is."""
    if math.prod(map(len, branches)) > _MOST_WAYS:
        branches = [[max(branch, key=_worth)] for branch in branches]
    for ways in product(*branches):
        yield frozenset().union(*ways)
