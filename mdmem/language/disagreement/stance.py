"""The stance of a text: whether it states a fact, asks, wishes or plans, or tells of the past."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from mdmem.language.disagreement import tables
from mdmem.language.doubt import normal
from mdmem.language.sieve import Sieve
from mdmem.text.sentences import split

_FEW = r"[^.;:!?]{0,40}?"


class Stance(NamedTuple):
    """Whether a text only asks, wishes or supposes something, and whether it tells of the past."""

    is_unreal: bool
    is_past: bool


@lru_cache(1024)  # a note is compared with several others
def of(text: str) -> Stance:
    """The stance of a text or a sentence."""
    said = normal(text)
    return Stance(*(any(pattern.search(said) for pattern in likely(name, said)) for name in ("UNREAL", "ONCE")))


def of_whole(text: str) -> Stance:
    """The stance of a text as a whole: unreal, or past, only if all of its sentences are."""
    stances = [of(sentence) for sentence in split(text)] or [Stance(False, False)]
    return Stance(*(all(parts) for parts in zip(*stances, strict=True)))


def likely(name: str, said: str) -> list[re.Pattern[str]]:
    """The patterns of a table that may match a text."""
    return _sieve(name).likely(said)


@cache
def _sieve(name: str) -> Sieve:
    rows: tuple[tuple[str, str], ...] = getattr(tables, name)
    return Sieve([pattern.replace(" ~", "~").replace("~", _FEW) for pattern, _ in rows])


def is_of_one(sentence: str) -> bool:
    """Whether a sentence begins with something that there is one of: "the fishmonger", not "trains" or "I"."""
    said = normal(sentence)
    return any(pattern.match(said) for pattern in likely("ONE", said))
