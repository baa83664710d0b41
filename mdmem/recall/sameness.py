"""Which hits say the same: a memory, the fact that it was made from, and the dialog in which that was said.

One text says what another says if it has the words of it that carry sense: other forms of a word count, and a
negation makes a difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from mdmem.index.port import ENTRY, FACT, MEMORY, IndexedNote
from mdmem.language import likeness
from mdmem.values import NamedTuple

_RANKS = {MEMORY: 0, FACT: 1, ENTRY: 2}  # of those that say the same the lowest stands for all
_SHARED = 0.9  # of the words of a text with sense that another has to have
_LEAST = 2  # words with sense that a text needs to be compared by


class Said(NamedTuple):
    """What a hit says: its passage, on a line of a file, and in short its `title` ("" of a dialog)."""

    kind: str
    id: str
    file: str
    line: int
    passage: str
    title: str = ""


class _Telling(NamedTuple):
    """The roots of the words of a text that carry sense, and how often it says no."""

    roots: frozenset[str]
    negations: int


def said(record: IndexedNote, line: int, passage: str) -> Said:
    """What a record says in its best passage, on that line of its file."""
    title = "" if record.kind == ENTRY else record.title
    return Said(record.kind, record.id, record.file, line, passage, title)


def groups(said: Sequence[Said], most: int) -> list[list[int]]:
    """The first `most` groups of what says the same in `said` (best first), as places there, by their best.

    In each the one that stands for it comes first, then the others in their order.
    """
    found: list[list[int]] = []
    texts = [[_telling(text) for text in (one.passage, one.title) if text] for one in said]

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


def _telling(text: str) -> _Telling:
    roots = frozenset(filter(None, map(likeness.telling_root, likeness.words(text))))
    return _Telling(roots, likeness.negations(text))


def _are_same(lesser: Said, greater: Said) -> bool:
    """Whether two hits are one fact, or stand in one line."""
    if lesser.kind == greater.kind != FACT:
        return False
    is_one_fact = lesser.kind == greater.kind and lesser.id == greater.id
    return is_one_fact or (lesser.file, lesser.line) == (greater.file, greater.line)


def _tells(lesser: Said, texts: Sequence[_Telling], of_greater: Sequence[_Telling]) -> bool:
    """Whether a memory tells the fact that is the lesser, or the dialog tells what the greater one does."""
    if lesser.kind == FACT:
        return any(_holds(part, whole) for part in texts for whole in of_greater)
    return lesser.kind == ENTRY and any(_holds(part, whole) for part in of_greater for whole in texts)


def _holds(part: _Telling, whole: _Telling) -> bool:
    enough = len(part.roots) >= _LEAST and part.negations == whole.negations
    return enough and len(part.roots & whole.roots) >= _SHARED * len(part.roots)
