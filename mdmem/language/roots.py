"""The root of a word, by language: one definition, by which its forms and synonyms count as one word."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mdmem.language.words import forms

_LEAST = (
    4  # letters of the shortest word that may be a plural: "bus" and "os" are not; "ties" and "pies" have "ie"
)
_ENDING_IN_IE = frozenset("movies cookies calories selfies zombies hoodies brownies genies rookies".split())
_LETTERS = 6  # of a root: what follows is usually an ending
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ied|ies|ed|es|ly|e|y)$")
_ONES = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety hundred".split()
# Words for numbers -> the number.
_NUMBERS = {word: number for number, word in enumerate(_ONES, 1)}
_NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, 1)}
_NUMBERS |= {"dozen": 12, "thousand": 1000, "million": 1_000_000}
# Words that mean the same in any note, closer than `words.synonyms`; the first stands for its group.
_SAME = (
    "favor favour like prefer",
    "employ use used using utilise utilize",
    "begin start",
    "buy purchase",
    "fast quick",
    "fix repair",
    "answer reply response",
    "image picture",
    "want wish",
    "big large",
    "each every",
    "no without",
    "ran run running",
)
_SAME_AS = {word: group.split()[0] for group in _SAME for word in group.split()}


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
    if word in _NUMBERS:
        return str(_NUMBERS[word])
    base = _SAME_AS.get(word) or forms(word)[0]
    return _ENDING.sub("", _SAME_AS.get(base, base))[:_LETTERS]


def folded(text: str) -> str:
    """A text in lower case, without accents and apostrophes: "Größe" is "grosse"."""
    lower = text.lower()
    if "'" in lower or "’" in lower:
        lower = lower.replace("’", "").replace("'", "")
    if lower.isascii():
        return lower
    lower = lower.replace("ß", "ss").replace("œ", "oe")
    return "".join(sign for sign in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(sign))
