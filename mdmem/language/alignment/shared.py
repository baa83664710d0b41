"""The words that two sentences share; if several match, those whose neighbours match as well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from mdmem.language.alignment.reading import Word
from mdmem.language.alignment.sense import fit


class SharedWord(NamedTuple):
    """Two words, one of each text, that say the same; `fit` is 0-1, 1 for the same root."""

    first: Word
    second: Word
    fit: float


def shared_words(first: Sequence[Word], second: Sequence[Word], tongue: str) -> list[SharedWord]:
    """The pairs of words in two sentences that say the same; each word is in one pair only, the best."""
    by_root: dict[str, list[Word]] = defaultdict(list)
    for word in second:
        by_root[word.root].append(word)
    same = [(a, b) for a in first for b in by_root.get(a.root, ())]
    pairs = _chosen([(1.0, a, b) for a, b in same], first, second)
    here = {match.first.at for match in pairs}
    there = {match.second.at for match in pairs}
    others = [word for word in second if word.at not in there]
    near = [(score, a, b) for a in first if a.at not in here for b in others if (score := fit(a, b, tongue))]
    return sorted([*pairs, *_chosen(near, first, second)], key=lambda match: match.first.at)


def _chosen(
    fits: Sequence[tuple[float, Word, Word]], first: Sequence[Word], second: Sequence[Word]
) -> list[SharedWord]:
    """Pairs in which no word comes twice: the best fit, then that with the same neighbours, then the nearest."""
    order = sorted(
        fits,
        key=lambda pair: (-pair[0], -_alike_beside(pair[1], pair[2], first, second), _distance(pair), pair[1].at),
    )
    here: set[int] = set()
    there: set[int] = set()
    pairs = []
    for score, a, b in order:
        if a.at not in here and b.at not in there:
            here.add(a.at)
            there.add(b.at)
            pairs.append(SharedWord(a, b, score))
    return pairs


def _distance(pair: tuple[float, Word, Word]) -> int:
    return abs(pair[1].at - pair[2].at)


def _alike_beside(one: Word, two: Word, first: Sequence[Word], second: Sequence[Word]) -> int:
    """How many of the two words beside each, before and after, are the same."""
    beside = ((_root_at(first, one.at + step), _root_at(second, two.at + step)) for step in (-1, 1))
    return sum(here == there != "" for here, there in beside)


def _root_at(words: Sequence[Word], at: int) -> str:
    """The root of the word at a place of its sentence, "" if there is none; `words` are in order, from 0 on."""
    return words[at].root if 0 <= at < len(words) else ""
