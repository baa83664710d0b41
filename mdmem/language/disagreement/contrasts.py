"""Small words by which two similar texts say different things.

Left or right, forbidden or not, 7:00 or 19:00: a person has to look at two texts that differ in this way. The
tables are in English, German, French and Spanish.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from mdmem.language import likeness
from mdmem.language.alignment import reading
from mdmem.language.alignment.reading import Reading
from mdmem.language.disagreement import groups, owners
from mdmem.language.roots import folded

# Words for the second half of the day, in which 7:30 is 19:30. A time without them is in the first half.
_LATE = frozenset(
    "afternoon evening night tonight nachmittag nachmittags abend abends nacht nachts tarde noche soir midi "
    "nuit".split()
)
_PM = re.compile(r"\dp\.?m\b|\bp\.?m\b")
_NOON = 12  # hours
_WORD = re.compile(r"\w+")
_TOWN = re.compile(  # one of several towns with a name: Frankfurt am Main, Newcastle upon Tyne
    r"\b([A-ZÄÖÜÉ]\w+)[ -]"
    r"(?:a[mn]|an de[rm]|bei|ob der|im|in der|upon|on|under|sur|sous|en|del?|de la)[ -]([A-ZÄÖÜ]\w+)"
)
_FEW = 3  # words of either text that the other lacks
_FORBIDS = re.compile(r"\b(?:forb[ai]d|bann?ed|prohib|verb[io]et|verboten|untersag|interdi)")

_LIMITS = re.compile(  # says that something holds only in part, or not at all
    r"\b(?:only|except|unless|almost|against|nur|lediglich|ausschliesslich|ausser|beinahe|gegen|solo|solamente"
    r"|unicamente|excepto|salvo|casi|contra|seulement|uniquement|sauf|presque|contre|ne (?:\w+ ){1,6}que)\b"
)


def differ(one: str, two: str) -> bool:
    """Whether two texts differ in such a word or in what they forbid, or exchange one word or name for another."""
    first, second = folded(one), folded(two)
    said = reading.read(one), reading.read(two)
    return (
        groups.are_opposite(first, second)
        or _forbids_alone(first, second)
        or _forbids_alone(second, first)
        or (_are_edited(*said) and bool(_LIMITS.search(first)) != bool(_LIMITS.search(second)))
        or _swap_two(first, second)
        or _exchange_few(*said)
        or groups.is_other_of_one(_hours(one), _hours(two))
        or _lie_elsewhere(one, two)
        or owners.exchange_owners(*said)
    )


def _hours(text: str) -> Mapping[str, set[int]]:
    """Time on a 12-hour clock -> the hours of the day (0-23) that a text means by it, if it is in digits."""
    said = folded(text)
    is_late = bool(_LATE & set(_WORD.findall(said)) or _PM.search(said))
    found: defaultdict[str, set[int]] = defaultdict(set)
    for word in reading.read(text).words:
        if word.kind == "time" and any(map(str.isdigit, word.text)):
            hour = int(word.bare)
            found[word.root].add(hour + _NOON if is_late and hour < _NOON else hour)
    return found


def _lie_elsewhere(one: str, two: str) -> bool:
    """Whether two texts name different towns that share a name."""
    mine, other = ({match[1]: match[2] for match in _TOWN.finditer(text)} for text in (one, two))
    return any(mine[town] != other[town] for town in mine.keys() & other.keys())


def _forbids_alone(one: str, two: str) -> bool:
    """Whether one text forbids something, and the other neither forbids nor denies anything."""
    return bool(_FORBIDS.search(one)) and not _FORBIDS.search(two) and not likeness.negations(two)


def _swap_two(one: str, two: str) -> bool:
    """Whether texts differ only in two words that have changed places: who lends to whom."""
    words, others = _WORD.findall(one), _WORD.findall(two)
    moved = [(word, other) for word, other in zip(words, others, strict=False) if word != other]
    return len(words) == len(others) and len(moved) == 2 and moved[0] == moved[1][::-1]


def _are_edited(one: Reading, two: Reading) -> bool:
    """Whether each of two texts has at most a few words that the other lacks."""
    return max(len(one.roots - two.roots), len(two.roots - one.roots)) <= _FEW


def _exchange_few(one: Reading, two: Reading) -> bool:
    """Whether two nearly equal texts exchange one word for another, or a few of which one is a name."""
    alone = [word for word in one.words if word.root not in two.roots]
    others = [word for word in two.words if word.root not in one.roots]
    if not (alone and others) or max(len(alone), len(others)) > _FEW:
        return False
    return len(alone) == len(others) == 1 or any(word.kind == "name" for word in (*alone, *others))
