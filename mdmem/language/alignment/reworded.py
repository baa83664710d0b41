"""Whether two texts that are each other's nearest may say the same in other words: for a person to look at.

People who repeat something use other words, so that little of the wording is left. What counts is that no third
text is as near to either, and that nothing speaks against it: no other number, day or name, no denial, no word of
change, no wish or past tense on one side only. Nor may the two fill in one form twice, as "The floor of the hall
is oak" and "The floor of the attic is pine" do.
"""

from __future__ import annotations

from mdmem.language.alignment import same
from mdmem.language.alignment.forms import is_one_form
from mdmem.language.alignment.sides import Alignment, Weights
from mdmem.language.alignment.slots import VALUE_KINDS
from mdmem.language.sureness import SURE

ALONE = 0.9  # of the nearness of two: if a third text is nearer than that to one of them, they are doubtful
_CLEAR = 0.75  # the same: up to here, they are surely each other's nearest
_ALIKE = 0.36  # share of common weight from which texts are compared word by word


def sureness(found: Alignment, third: float, weights: Weights) -> float:
    """How sure it is that two aligned texts say the same; `third` is as in `same.sureness`."""
    if not may_be(found, third, weights):
        return 0.0
    is_sure = found.share >= _ALIKE and third <= _CLEAR and not same.is_substituted(found, weights)
    return SURE["twins.alike" if is_sure else "twins.reworded"]


def may_be(found: Alignment, third: float, weights: Weights) -> bool:
    """Whether two aligned texts may say the same in other words; `third` is as in `same.sureness`."""
    if third > ALONE or found.turned or found.changed or _differ_in_value(found):
        return False
    if any(same.is_told_otherwise(pair) or is_one_form(pair, found.tongue) for pair in found.pairs):
        return False
    return found.share < _ALIKE or not same.is_another_thing(found, weights)


def _differ_in_value(found: Alignment) -> bool:
    """Whether each text has a number, time, day or name that the other lacks."""
    both = {word.kind for word in found.alone_first} & {word.kind for word in found.alone_second}
    return not both.isdisjoint(VALUE_KINDS) or any(slot.kind != "word" for slot in found.slots)
