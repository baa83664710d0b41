"""The root of a word, by language: one definition, by which its forms and synonyms count as one word."""

import re
import unicodedata
from functools import cache, lru_cache

from mdmem.language.words import forms
from mdmem.note import tsv

_LEAST = (
    4  # letters of the shortest word that may be a plural: "bus" and "os" are not; "ties" and "pies" have "ie"
)
_ENDING_IN_IE = frozenset("movies cookies calories selfies zombies hoodies brownies genies rookies".split())
_LETTERS = 6  # of a root: what follows is usually an ending
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ied|ies|ed|es|ly|e|y)$")


def singular(word: str) -> str:
    """The singular of a plural, or a verb without its `s`; any other word unchanged."""
    if len(word) < _LEAST or not word.endswith("s") or word.endswith(("ss", "us", "is")) or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > _LEAST and word not in _ENDING_IN_IE:
        return word[:-3] + "y"
    return word[:-1]


@lru_cache(1 << 16)
def root(word: str) -> str:
    """The root of a lower-case word, mostly without its ending and shared by synonyms; a number word as digits."""
    if not word.isalpha():
        return word
    same = _same()
    base = same.get(word) or forms(word)[0]
    base = same.get(base, base)
    return base if base.isdigit() else _ENDING.sub("", base)[:_LETTERS]


@cache
def _same() -> dict[str, str]:
    """A word -> what stands for it and those that mean the same, the digits of a number."""
    return {word: base for base, words in tsv.rows(__file__, "same.tsv", 2) for word in words.split()}


def folded(text: str) -> str:
    """A text in lower case, without accents and apostrophes: "Größe" is "grosse"."""
    lower = text.lower()
    if "'" in lower or "’" in lower:
        lower = lower.replace("’", "").replace("'", "")
    if lower.isascii():
        return lower
    lower = lower.replace("ß", "ss").replace("œ", "oe")
    return "".join(sign for sign in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(sign))
