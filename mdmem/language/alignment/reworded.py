"""Whether two texts that are each other's nearest may say the same in other words: for a person to look at.

Who says a thing again takes other words, so that little of the wording is left. What tells is that no third text
is as near to either, and that nothing speaks against it: no other number, day or name, no denial, no word of
change, no wish or past on one side only. Nor may the two be one form filled in twice, such as "The floor of the
hall is oak" and "The floor of the attic is pine".
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from difflib import SequenceMatcher

from mdmem.language.alignment import same
from mdmem.language.alignment.reading import plain, root, tokens
from mdmem.language.alignment.sides import Alignment, Weights
from mdmem.language.alignment.slots import VALUE_KINDS, SentencePair
from mdmem.language.sureness import SURE

ALONE = 0.9  # of how near two are: a third text that is nearer to one of them than that makes both doubtful
_CLEAR = 0.75  # the same, from which on they are surely each other's
_ALIKE = 0.36  # share of common weight from which two texts are compared word by word
_LEAST_FIXED = 2  # small words of a form
_FRAME = 0.75  # share of two forms that is the same (difflib's ratio)
_GAP = "*"


def sureness(found: Alignment, third: float, tongue: str, weights: Weights) -> float:
    """How sure it is that two aligned texts of a language say the same; `third` is as in `same.sureness`."""
    if not may_be(found, third, tongue, weights):
        return 0.0
    is_sure = found.share >= _ALIKE and third <= _CLEAR and not same.is_substituted(found, weights)
    return SURE["twins.alike" if is_sure else "twins.reworded"]


def may_be(found: Alignment, third: float, tongue: str, weights: Weights) -> bool:
    """Whether nothing speaks against it."""
    if third > ALONE or found.turned or found.changed or _differ_in_value(found):
        return False
    if any(same.is_told_otherwise(pair) or is_one_form(pair, tongue) for pair in found.pairs):
        return False
    return found.share < _ALIKE or not same.is_another_thing(found, weights)


def _differ_in_value(found: Alignment) -> bool:
    """Whether each has a number, time, day or name that the other lacks."""
    both = {word.kind for word in found.alone_first} & {word.kind for word in found.alone_second}
    return not both.isdisjoint(VALUE_KINDS) or any(slot.kind != "word" for slot in found.slots)


def is_one_form(pair: SentencePair, tongue: str) -> bool:
    """Whether two sentences are one form filled in twice: the same small words around other words."""
    if not (pair.alone_first and pair.alone_second):
        return False
    known = {match.first.root for match in pair.shared} | {match.second.root for match in pair.shared}
    one, two = (list(_frame(said.text, known, tongue)) for said in (pair.first, pair.second))
    is_told = min(len(frame) - frame.count(_GAP) for frame in (one, two)) >= _LEAST_FIXED
    return is_told and SequenceMatcher(None, one, two, autojunk=False).ratio() >= _FRAME


def _frame(text: str, known: Set[str], tongue: str) -> Iterator[str]:
    """The words of a sentence, with a gap for each that carries sense and that the other sentence lacks."""
    for token in map(plain, tokens(text)):
        if token[0].isalnum():
            rooted = root(token, tongue)
            yield rooted or token if not rooted or rooted in known else _GAP
