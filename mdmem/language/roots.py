"""The root of a word, by language: one definition, by which its forms and synonyms count as one word."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mdmem.language.tables import NUMBERS
from mdmem.language.words import forms

_LEAST = 4  # letters of the shortest word that may be a plural: "bus" and "os" are not
_LEAST_IES = 4  # letters up to which the singular of a plural in "ies" ends in "ie": "ties", "pies"
_ENDING_IN_IE = frozenset("movies cookies calories selfies zombies hoodies brownies genies rookies".split())
_LETTERS = 6  # of a root: what follows is usually an ending
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ied|ies|ed|es|ly|e|y)$")
_STEM_LETTERS, _LEAST_STEM = 7, 3  # of a root, and at least before an ending; in languages other than English
# Endings in which the forms of one word differ: Haus, Häuser; casa, casas; vend, vendait.
_ENDINGS_OF = {
    "de": "innen ungen ern ung em en er es et st e n s t",
    "es": "iendo adas ados amos ando emos imos ada ado ida ido an ar as en er es ir os a e o s",
    "fr": "ements aient antes ement ante ants ions ait ant ees ent ons ee er es ez is it e s x",
}
_STEMS = {
    tongue: re.compile(rf"(?<=.{{{_LEAST_STEM}}})(?:{endings.replace(' ', '|')})\Z")
    for tongue, endings in _ENDINGS_OF.items()
}
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
    if word.endswith("ies") and len(word) > _LEAST_IES and word not in _ENDING_IN_IE:
        return word[:-3] + "y"
    return word[:-1]


@lru_cache(1 << 16)
def root(word: str) -> str:
    """The root of a lower-case word, mostly without its ending and shared by synonyms; a number word as digits."""
    if not word.isalpha():
        return word
    if word in NUMBERS:
        return str(NUMBERS[word])
    base = _SAME_AS.get(word) or forms(word)[0]
    return _ENDING.sub("", _SAME_AS.get(base, base))[:_LETTERS]


def are_one(one: str, two: str) -> bool:
    """Whether two words belong to the same group of interchangeable words."""
    return one in _SAME_AS and _SAME_AS[one] == _SAME_AS.get(two)


def stem(word: str, tongue: str) -> str:
    """The root of a `folded` word in a language other than English, such as "de": the word without its ending."""
    return _STEMS[tongue].sub("", word)[:_STEM_LETTERS]


def folded(text: str) -> str:
    """A text in lower case, without accents and apostrophes: "Größe" is "grosse"."""
    lower = text.lower()
    if "'" in lower or "’" in lower:
        lower = lower.replace("’", "").replace("'", "")
    if lower.isascii():
        return lower
    lower = lower.replace("ß", "ss").replace("œ", "oe")
    return "".join(sign for sign in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(sign))
