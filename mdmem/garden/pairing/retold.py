"""Figures on what two notes say in other words: by words with the same sense, in one language or two."""

from __future__ import annotations

from collections.abc import Iterable, Set

from mdmem.language import senses
from mdmem.language.alignment.reading import Reading, Word
from mdmem.language.alignment.sides import Alignment, Weights


def figures(old: Reading, new: Reading, aligned: Alignment, weights: Weights) -> dict[str, float]:
    """How much (0-1) of what only one says the other says in other words, and what share of all both say then.

    "words retold" is a count.
    """
    left_old = _roots(aligned.alone_first) - new.roots
    left_new = _roots(aligned.alone_second) - old.roots
    told_old = _told(left_old, old.tongue, new)
    told_new = _told(left_new, new.tongue, old)
    alone_old, alone_new = weights.total(left_old), weights.total(left_new)
    again_old, again_new = weights.total(told_old), weights.total(told_new)
    shared = aligned.shared
    return {
        "retold_old": again_old / (alone_old or 1.0),
        "retold_new": again_new / (alone_new or 1.0),
        "words retold": min(len(told_old), len(told_new)),
        "share with retold": (shared + again_old + again_new) / (shared + alone_old + alone_new or 1.0),
        "within with retold": max(
            (shared + again_old) / (shared + alone_old or 1.0), (shared + again_new) / (shared + alone_new or 1.0)
        ),
    }


def _roots(words: Iterable[Word]) -> set[str]:
    return {word.root for word in words}


def _told(left: Set[str], tongue: str, other: Reading) -> set[str]:
    """Those of the roots `left`, which only one text has, that share a sense with a word of the other text."""
    meant = {sense for root in other.roots for sense in senses.of(root, other.tongue)}
    return {root for root in left if not meant.isdisjoint(senses.of(root, tongue))}
