"""The forms of clauses that say, beside a link, that one note replaces another: data/rules.tsv.

The rules are the same in all languages; their words are in `reading`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from mdmem.note import tsv

LANGUAGES = ("en", "de", "es", "fr")
OLD, HEIR = "old", "heir"  # the linked note has been replaced; it replaces the note with the text
_PART = "part"
_NAMED = re.compile(r"\{([A-Z]+)\}")


class ReplacementRule(NamedTuple):
    """What a clause looks like, and whether its link (§) is replaced (OLD) or replaces the note (HEIR).

    The table says what stands in a `pattern`; `languages` are those whose order of words it is, `is_sure` is
    whether it can mean nothing else.
    """

    direction: str
    pattern: str
    example: str
    languages: tuple[str, ...]
    is_sure: bool


@cache
def every() -> tuple[ReplacementRule, ...]:
    """All rules of the table."""
    return tuple(
        ReplacementRule(direction, _whole(pattern), example, tuple(languages.split()) or LANGUAGES, not unsure)
        for direction, pattern, example, languages, unsure in _rows()
        if direction != _PART
    )


@cache
def part(name: str) -> str:
    """The pattern of a part of the table, such as LABEL."""
    return next(_whole(row[1]) for row in _rows() if row[0] == _PART and row[-1] == name)


def _whole(pattern: str) -> str:
    """A pattern with its named parts in place."""
    return _NAMED.sub(lambda named: part(named[1]), pattern)


@cache
def _rows() -> list[list[str]]:
    return list(tsv.rows(__file__, "rules.tsv", 5))
