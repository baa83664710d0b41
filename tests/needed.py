"""What every match of a regular expression contains, read off the pattern: it checks what tables say of theirs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import product
from typing import Any

_parser: Any = import_module("re._parser")  # the only module of Python that parses a pattern

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_MOST_WAYS = 16  # to choose one set per branch; if there are more, each branch gives only its best set

Needed = frozenset[str]  # every match contains at least one of these texts


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
