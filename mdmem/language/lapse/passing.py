"""Texts about a moment ("The server is down right now") and texts about nothing ("test 123")."""

from __future__ import annotations

import re
from functools import cache

from mdmem.language.doubt import normal
from mdmem.language.lapse import tables

_MOST_WORDS, _MOST_OF_STATE = 25, 12  # of a text about a moment: longer ones tell what lasts beside it
_WORD = re.compile(r"\w+")
_REPEATED = re.compile(r"(\w)\1+|(?:[qwertzuiop]{5,}|[asdfghjkl]{5,}|[yxcvbnm]{5,})")
_MOST_NOISE = 12  # words of a trial


def is_of_now(text: str) -> bool:
    """Whether a short text speaks of a moment and says so: right now, today, until noon."""
    return _has_at_most(_MOST_WORDS, text) and any(form.search(normal(text)) for form in _patterns("NOW"))


def is_state(text: str) -> bool:
    """Whether a short text tells of a state that hardly lasts: the server is down, too tired to write."""
    return _has_at_most(_MOST_OF_STATE, text) and any(form.search(normal(text)) for form in _patterns("STATE"))


def is_noise(text: str) -> bool:
    """Whether a text is a trial of the program or of the keyboard and says nothing."""
    words = _WORD.findall(normal(text))
    if not 0 < len(words) <= _MOST_NOISE:
        return False
    if re.search(tables.TRIAL, normal(text)):
        return True
    has_letters = any(word.isalpha() for word in words)
    return has_letters and all(word in tables.NOISE or _REPEATED.fullmatch(word) for word in words)


def _has_at_most(words: int, text: str) -> bool:
    return len(_WORD.findall(text)) <= words


@cache
def _patterns(kind: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern, _ in getattr(tables, kind))
