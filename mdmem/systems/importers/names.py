"""Names for notes of other programs: their own, if the protocol allows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from mdmem.note import naming
from mdmem.note.naming import NameFinding

Rule = Callable[[str], list[NameFinding]]


def new_name(old: str, title: str, text: str, taken: Callable[[str], bool], rule: Rule = naming.check) -> str:
    """A good name that is free: the old one, if need be in lower case, or else one made from the title."""
    for name in _spellings(old):
        if name and is_good(name, rule) and not taken(name):
            return name
    return naming.make(title, text, taken)


@lru_cache(1 << 14)  # each name of an import is checked several times
def is_good(name: str, rule: Rule = naming.check) -> bool:
    """Whether a name follows the protocol, or another `rule`."""
    return not any(finding.severity == "error" for finding in rule(name))


def _spellings(name: str) -> Iterator[str]:
    """A name as it is, and with its words as the protocol writes them."""
    yield name
    yield "_".join(naming.words_of(name))
