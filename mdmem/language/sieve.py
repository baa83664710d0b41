"""Which of many regular expressions may match a text: told by plain words, so that few of them have to be tried.

Of each pattern some texts are known of which every match has one, such as "no longer" or "obsolete". They are read
off the pattern itself. A pattern of which nothing is known is always tried.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain
from typing import Any

from mdmem.text.patterns import late

_parser: Any = import_module("re._parser")  # the only place where Python tells what a pattern is made of

_MANY = 200  # words, from which on it is sooner to look them up by their beginnings
_BEGINNING = 3  # letters
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")

Needed = frozenset[str]
_NOTHING: Needed = frozenset()


class Sieve:
    """The words by which each pattern of a table is known; `Sieve(patterns).may_match(text)` are places in it.

    A pattern is compiled when it may match for the first time.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [late(pattern) for pattern in patterns]
        self._always: list[int] = []
        places: dict[str, list[int]] = defaultdict(list)
        for at, pattern in enumerate(patterns):
            words = needed(pattern)
            for word in words:
                places[word].append(at)
            self._always += [] if words else [at]
        self._places = dict(places)
        self._begun: dict[str, list[str]] = defaultdict(list)  # how words begin -> these words
        for word in places:
            self._begun[word[:_BEGINNING]].append(word)
        self._short = [start for start in self._begun if len(start) < _BEGINNING]

    def likely(self, text: str) -> list[re.Pattern[str]]:
        """The patterns that may match a text, in their order."""
        return [self._patterns[at] for at in self.may_match(text)]

    def pattern(self, at: int) -> re.Pattern[str]:
        """The pattern at a place."""
        return self._patterns[at]

    def may_match(self, text: str) -> list[int]:
        """The places of the patterns that may match a text, in their order; all others do not."""
        words: Iterable[str] = self._places
        if len(self._places) > _MANY:
            begun = {text[at : at + _BEGINNING] for at in range(len(text) - _BEGINNING + 1)} & self._begun.keys()
            words = chain.from_iterable(self._begun[start] for start in (*begun, *self._short))
        told = [self._places[word] for word in words if word in text]
        return sorted({*self._always, *chain.from_iterable(told)})


def needed(pattern: str) -> Needed:
    """Texts of which every match of a pattern has at least one; none if nothing can be told."""
    parsed = _parser.parse(pattern)
    return _NOTHING if parsed.state.flags & re.IGNORECASE else _of_sequence(parsed)


def _of_sequence(parts: Iterable[tuple[Any, Any]]) -> Needed:
    """What the parts of a pattern need that follow each other: the longest of it tells most."""
    return max(_of_parts(parts), key=_worth, default=_NOTHING)


def _worth(words: Needed) -> tuple[int, int]:
    return min(map(len, words), default=0), -len(words)


def _of_parts(parts: Iterable[tuple[Any, Any]]) -> Iterator[Needed]:
    run = ""
    for kind, value in parts:
        if kind.name == "LITERAL":
            run += chr(value)
            continue
        if run and kind.name != "AT":
            yield frozenset((run,))
            run = ""
        yield _of_part(kind.name, value)
    if run:
        yield frozenset((run,))


def _of_part(kind: str, value: Any) -> Needed:
    if kind == "BRANCH":
        branches = [_of_sequence(branch) for branch in value[1]]
        return frozenset().union(*branches) if all(branches) else _NOTHING
    if kind in _REPEATS:
        least, _, repeated = value
        return _of_sequence(repeated) if least else _NOTHING
    if kind == "SUBPATTERN":
        _, flags, _, inside = value
        return _NOTHING if flags & re.IGNORECASE else _of_sequence(inside)
    return _of_sequence(value[1]) if kind == "ASSERT" else _NOTHING
