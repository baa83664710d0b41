"""Which hits say the same: a memory, the fact that it was made from, and the dialog in which that was said.

A text says what another says if it has nearly all of its content words, in any form, and as many negations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdmem.language import likeness
from mdmem.store.index.port import ENTRY, FACT, MEMORY

if TYPE_CHECKING:
    from mdmem.recall.pool import Hit

_RANKS = {MEMORY: 0, FACT: 1, ENTRY: 2}  # among hits that say the same, the lowest stands for all
_SHARED = 0.9  # of the content words of a text that another has to have
_SPEAKER = frozenset(("user",))  # said in facts about whoever speaks, and not in quotations
_LEAST = 2  # content words that a text needs in order to be compared


class _Telling(NamedTuple):
    """The roots of a text's content words, and how many negations it has."""

    roots: frozenset[str]
    negations: int


def groups(hits: Sequence[Hit], most: int) -> list[list[int]]:
    """The first `most` groups of hits that say the same, by their best, as positions in `hits` (best first).

    A group begins with the hit that stands for it; the others follow in their order.
    """
    found: list[list[int]] = []
    texts = [[_told(text) for text in _said(hit) if text] for hit in hits]
    ranks = [_RANKS[hit.record.kind] for hit in hits]

    def is_same(at: int, other: int) -> bool:
        lesser, greater = sorted((at, other), key=lambda place: -ranks[place])
        is_told = _tells(hits[lesser].record.kind, texts[lesser], texts[greater])
        return is_told or _are_same(hits[lesser], hits[greater])

    for at in range(len(hits)):
        home = next((group for group in found if any(is_same(at, other) for other in group)), None)
        if home is not None:
            home.append(at)
        elif len(found) < most:
            found.append([at])
    return [sorted(group, key=lambda at: (ranks[at], at)) for group in found]


def _told(text: str) -> _Telling:
    return _Telling(likeness.telling_roots(text) - _SPEAKER, likeness.negations(text))


def _said(hit: Hit) -> tuple[str, str]:
    """The passage of a hit, and in short its title; of a dialog that says nothing."""
    return hit.text, "" if hit.record.kind == ENTRY else hit.record.title


def _are_same(lesser: Hit, greater: Hit) -> bool:
    """Whether two hits are one fact, or are on the same line of a file."""
    one, other = lesser.record, greater.record
    if one.kind == other.kind != FACT:
        return False
    is_one_fact = one.kind == other.kind and one.id == other.id
    return is_one_fact or (one.file, lesser.line) == (other.file, greater.line)


def _tells(kind: str, texts: Sequence[_Telling], of_greater: Sequence[_Telling]) -> bool:
    """Whether the greater states the lesser, a fact; or the lesser, a dialog, says what the greater does."""
    if kind == FACT:
        return any(_holds(part, whole) for part in texts for whole in of_greater)
    return kind == ENTRY and any(_holds(part, whole) for part in of_greater for whole in texts)


def _holds(part: _Telling, whole: _Telling) -> bool:
    enough = len(part.roots) >= _LEAST and part.negations == whole.negations
    return enough and len(part.roots & whole.roots) >= _SHARED * len(part.roots)
