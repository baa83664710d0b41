"""The rules of `garden.never`: what a gardener never proposes."""

from __future__ import annotations

import re
from typing import NamedTuple

# The names of gardeners; if several propose something for a file, the first one gets it.
GARDENERS = tuple("deprecate twins conflicts facts consolidate split refresh decay hygiene".split())
_FORM = re.compile(r"(?P<gardener>[a-z]+): (?P<trait>tag|type|folder|notes) (?P<value>\S.*)")


class NeverRule(NamedTuple):
    """What a gardener never proposes: anything about notes of this trait (tag, type, folder, notes) and value."""

    gardener: str
    trait: str
    value: str


def never_rule(text: str) -> NeverRule | None:
    """The rule in a text such as `twins: tag diary`; None if it is not a rule."""
    match = _FORM.fullmatch(text)
    return NeverRule(**match.groupdict()) if match and match["gardener"] in GARDENERS else None


def fault_of(rules: list[object]) -> str:
    """What is wrong with the first rule that cannot be understood; "" if all can."""
    bad = [item for item in rules if not (isinstance(item, str) and never_rule(item))]
    gardeners = ", ".join(GARDENERS)
    form = f"must be like 'twins: tag diary'; gardeners are {gardeners}; after them: tag, type, folder, notes"
    return f"has {bad[0]!r}, but {form}" if bad else ""
