"""Which of many regular expressions may match a text: told by plain substrings, so that few have to be tried.

For each pattern the sieve knows some texts of which every match contains at least one, such as "no longer" or
"obsolete". They are derived from the pattern itself. A pattern that yields none is always tried.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain, product
from typing import Any

from mdmem.note.patterns import late

_parser: Any = import_module("re._parser")  # the only module of Python that parses a pattern

_MANY = 200  # words, above which it is faster to look them up by their beginnings
_BEGINNING = 4  # characters
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")

Needed = frozenset[str]  # every match contains at least one of these texts
_LEAST = 2  # characters of a text that is worth searching for
_MOST_WAYS = 16  # to choose one set per branch; if there are more, each branch gives only its best set


class Sieve:
    """A filter over a table of patterns: `Sieve(patterns).may_match(text)` returns positions in the table.

    A pattern is compiled when it may match for the first time.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [late(pattern) for pattern in patterns]
        self._free: list[int] = []  # positions of the patterns of which nothing is known
        self._known_by: dict[str, list[int]] = defaultdict(list)  # word -> positions of the patterns known by it
        for at, pattern in enumerate(patterns):
            words = needed(pattern)
            if not _tells(words):
                self._free.append(at)
                continue
            for word in words:
                self._known_by[word].append(at)
        is_large = len(self._known_by) > _MANY
        self._always: list[str] = []  # words that are searched for in every text
        self._begun: dict[str, list[str]] = defaultdict(list)  # beginning of other words -> these words
        for word in self._known_by:
            (self._begun[word[:_BEGINNING]] if is_large and len(word) >= _BEGINNING else self._always).append(word)

    def may_match(self, text: str) -> list[int]:
        """The positions of the patterns that may match a text, in order; no other pattern can match."""
        found = set(self._free)
        for word in chain(self._always, *map(self._begun.__getitem__, self._beginnings_in(text))):
            if word in text:
                found.update(self._known_by[word])
        return sorted(found)

    def _beginnings_in(self, text: str) -> set[str]:
        """The beginnings that a text contains of the words that are not searched for in every text."""
        if not self._begun:
            return set()
        return {text[at : at + _BEGINNING] for at in range(len(text) - _BEGINNING + 1)} & self._begun.keys()

    def likely(self, text: str) -> list[re.Pattern[str]]:
        """The patterns that may match a text, in their order."""
        return [self._patterns[at] for at in self.may_match(text)]

    def pattern(self, at: int) -> re.Pattern[str]:
        """The pattern at a position."""
        return self._patterns[at]


def _tells(words: Needed) -> bool:
    return min(map(len, words), default=0) >= _LEAST


def needed(pattern: str) -> Needed:
    """Texts of which every match of a pattern contains at least one; empty if none can be derived."""
    words = max(all_needed(pattern), key=_worth, default=frozenset())
    return frozenset(word for word in words if not any(other in word for other in words - {word}))


def all_needed(pattern: str) -> list[Needed]:
    """Sets of texts: every match of a pattern contains at least one text of each set."""
    parsed = _parser.parse(pattern)
    return [] if parsed.state.flags & re.IGNORECASE else list(_of_parts(parsed))


def _worth(words: Needed) -> tuple[int, int]:
    """A sort key by which a set is worth more the longer its shortest text and, if equal, the fewer its texts."""
    return min(map(len, words), default=0), -len(words)


def _of_parts(parts: Iterable[tuple[Any, Any]]) -> Iterator[Needed]:
    """The sets of texts that the consecutive parts of a pattern need."""
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
    """The sets that alternatives need: whichever one matches, one of all their texts is there."""
    if math.prod(map(len, branches)) > _MOST_WAYS:
        branches = [[max(branch, key=_worth)] for branch in branches]
    for ways in product(*branches):
        yield frozenset().union(*ways)
