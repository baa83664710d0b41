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

_MANY = 200  # words, from which on it is sooner to look them up by their beginnings
_BEGINNING = 4  # characters
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
        self._free: list[int] = []  # places of the patterns of which nothing is known
        self._known_by: dict[str, list[int]] = defaultdict(list)  # word -> places of the patterns known by it
        for at, pattern in enumerate(patterns):
            words = needed(pattern)
            if not _tells(words):
                self._free.append(at)
                continue
            for word in words:
                self._known_by[word].append(at)
        is_large = len(self._known_by) > _MANY
        self._always: list[str] = []  # words that are looked for in each text
        self._begun: dict[str, list[str]] = defaultdict(list)  # how the others begin -> these words
        for word in self._known_by:
            (self._begun[word[:_BEGINNING]] if is_large and len(word) >= _BEGINNING else self._always).append(word)

    def may_match(self, text: str) -> list[int]:
        """The places of the patterns that may match a text, in their order; all others do not."""
        found = set(self._free)
        for word in chain(self._always, *map(self._begun.__getitem__, self._beginnings_in(text))):
            if word in text:
                found.update(self._known_by[word])
        return sorted(found)

    def _beginnings_in(self, text: str) -> set[str]:
        """How the words begin that may be in a text, of those that are not looked for in each."""
        if not self._begun:
            return set()
        return {text[at : at + _BEGINNING] for at in range(len(text) - _BEGINNING + 1)} & self._begun.keys()

    def likely(self, text: str) -> list[re.Pattern[str]]:
        """The patterns that may match a text, in their order."""
        return [self._patterns[at] for at in self.may_match(text)]

    def pattern(self, at: int) -> re.Pattern[str]:
        """The pattern at a place."""
        return self._patterns[at]


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
