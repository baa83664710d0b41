"""Whether two words say the same: they have one root, are synonyms or part of a compound, or differ by a typo."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

from mdmem.language.alignment.reading import Word
from mdmem.language.alignment.tables import NEAR
from mdmem.language.words import bases

_SAME, _SLIP, _FORM, _SYNONYM, _PART = 1.0, 0.9, 0.8, 0.8, 0.6
_LEAST_SLIP = 7  # letters of a word in which one different letter counts as a typo
_LEAST_PREFIX, _PREFIX_SHARE = (
    5,
    0.6,
)  # letters, and share of the longer word, with which two forms of one word both begin
_LEAST_PART = 4  # letters of the shortest word that may be part of a compound
_COMPOUNDING = ("de",)
_VALUES = ("number", "time", "day")


def fit(one: Word, two: Word, tongue: str) -> float:
    """How nearly two words of a language say the same, 0-1; 0 if they do not."""
    if one.root == two.root:
        return _SAME
    if one.kind in _VALUES or two.kind in _VALUES:
        return _FORM if _is_same_amount(one, two) else 0.0
    first, second = sorted((one.text, two.text))
    return word_fit(first, second, one.kind == "name" == two.kind, tongue)


def _is_same_amount(one: Word, two: Word) -> bool:
    """Whether one quantity is the other without its unit: 45 and 45 days, four and 4:00."""
    return bool(one.bare and one.bare == two.bare and (one.root == one.bare or two.root == two.bare))


@lru_cache(1 << 15)  # the same words are compared again and again
def word_fit(one: str, two: str, is_name: bool, tongue: str) -> float:
    """How nearly two plain words with different roots say the same, 0-1, by their letters and the word tables."""
    if not _groups(one).isdisjoint(_groups(two)):
        return _SYNONYM
    if is_name or not (one.isalpha() and two.isalpha()):
        return 0.0
    short, long = (one, two) if len(one) <= len(two) else (two, one)
    if one[:_LEAST_PREFIX] == two[:_LEAST_PREFIX]:
        least = max(_LEAST_PREFIX, ceil(_PREFIX_SHARE * len(long)))
        if len(short) >= least and one[:least] == two[:least]:
            return _FORM
    if len(short) >= _LEAST_SLIP and _is_slip(short, long):
        return _SLIP
    return _PART if tongue in _COMPOUNDING and _is_part(short, long) else 0.0


def is_part(word: Word, compound: Word) -> bool:
    """Whether a word is part of a longer one: the glass of "dreifaches Glas" in "Dreifachglas"."""
    return word.kind == "word" and _is_part(word.text, compound.text)


def _is_part(short: str, long: str) -> bool:
    is_longer = len(short) >= _LEAST_PART and len(long) > len(short) + 2
    return is_longer and (long.endswith(short) or long.startswith(short))


@lru_cache(1 << 15)
def _groups(word: str) -> frozenset[int]:
    """The groups of interchangeable words to which a word belongs in any of its forms."""
    return _NONE.union(*(NEAR.get(base, _NONE) for base in bases(word)))


_NONE: frozenset[int] = frozenset()


def _is_slip(short: str, long: str) -> bool:
    if len(long) > len(short) + 1 or (short[0] != long[0] and short[-1] != long[-1]):
        return False  # a typo changes the length by at most one letter, and not both ends of a word

    from rapidfuzz.distance import OSA

    return bool(OSA.distance(short, long, score_cutoff=1) == 1)
