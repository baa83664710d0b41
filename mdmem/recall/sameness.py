"""Which hits say the same: a memory, the fact that it was made from, and the dialog in which that was said.

A text says what another says if it has nearly all of its content words, in any form, and as many negations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdmem.language import likeness
from mdmem.store.index.port import ENTRY, FACT, MEMORY, IndexedNote

_RANKS = {MEMORY: 0, FACT: 1, ENTRY: 2}  # among hits that say the same, the lowest stands for all
_SHARED = 0.9  # of the content words of a text that another has to have
_SPEAKER = frozenset(("user",))  # said in facts about whoever speaks, and not in quotations
_LEAST = 2  # content words that a text needs in order to be compared


class Said(NamedTuple):
    """What a hit says: its passage, with file and line, and in short its `title` ("" for a dialog)."""

    kind: str
    id: str
    file: str
    line: int
    passage: str
    title: str = ""


class _Telling(NamedTuple):
    """The roots of a text's content words, and how many negations it has."""

    roots: frozenset[str]
    negations: int


def said(record: IndexedNote, line: int, passage: str) -> Said:
    """What a record says in its best passage, on that line of its file."""
    title = "" if record.kind == ENTRY else record.title
    return Said(record.kind, record.id, record.file, line, passage, title)


def groups(said: Sequence[Said], most: int) -> list[list[int]]:
    """The first `most` groups of hits that say the same, by their best, as positions in `said` (best first).

    A group begins with the hit that stands for it; the others follow in their order.
    """
    found: list[list[int]] = []
    texts = [
        [
            _Telling(likeness.telling_roots(text) - _SPEAKER, likeness.negations(text))
            for text in (one.passage, one.title)
            if text
        ]
        for one in said
    ]

    def is_same(at: int, other: int) -> bool:
        lesser, greater = sorted((at, other), key=lambda place: -_RANKS[said[place].kind])
        return _are_same(said[lesser], said[greater]) or _tells(said[lesser], texts[lesser], texts[greater])

    for at in range(len(said)):
        home = next((group for group in found if any(is_same(at, other) for other in group)), None)
        if home is not None:
            home.append(at)
        elif len(found) < most:
            found.append([at])
    return [sorted(group, key=lambda at: (_RANKS[said[at].kind], at)) for group in found]


def _are_same(lesser: Said, greater: Said) -> bool:
    """Whether two hits are one fact, or are on the same line of a file."""
    if lesser.kind == greater.kind != FACT:
        return False
    is_one_fact = lesser.kind == greater.kind and lesser.id == greater.id
    return is_one_fact or (lesser.file, lesser.line) == (greater.file, greater.line)


def _tells(lesser: Said, texts: Sequence[_Telling], of_greater: Sequence[_Telling]) -> bool:
    """Whether the greater states the lesser, a fact; or the lesser, a dialog, says what the greater does."""
    if lesser.kind == FACT:
        return any(_holds(part, whole) for part in texts for whole in of_greater)
    return lesser.kind == ENTRY and any(_holds(part, whole) for part in of_greater for whole in texts)


def _holds(part: _Telling, whole: _Telling) -> bool:
    enough = len(part.roots) >= _LEAST and part.negations == whole.negations
    return enough and len(part.roots & whole.roots) >= _SHARED * len(part.roots)
