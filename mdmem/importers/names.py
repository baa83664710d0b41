"""Names for notes of other programs: their own where the protocol allows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from mdmem.note import naming
from mdmem.note.naming import NameFinding

Rule = Callable[[str], list[NameFinding]]


def new_name(old: str, title: str, text: str, taken: Callable[[str], bool], rule: Rule = naming.check) -> str:
    """A good name that is free: the old one, if need be in lower case; else of the title."""
    for name in _spellings(old):
        if name and is_good(name, rule) and not taken(name):
            return name
    return naming.make(title, text, taken)


@lru_cache(1 << 14)  # of each note of an import it is asked several times
def is_good(name: str, rule: Rule = naming.check) -> bool:
    """Whether a name is within the protocol, or what else the `rule` asks."""
    return not any(finding.severity == "error" for finding in rule(name))


def _spellings(name: str) -> Iterator[str]:
    """A name as it is, and as the protocol writes its words."""
    yield name
    yield "_".join(naming.words_of(name))
