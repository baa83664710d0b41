"""Who acts, a person or somebody of theirs: "Elif teaches her father" or "Elif's father teaches her"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import product
from typing import NamedTuple

from mdmem.language.alignment.reading import Reading, ReadSentence, plain, root

_OWNER_FIRST = re.compile(r"(\w+)['’]s? (\w+)|\b([A-ZÄÖÜ]\w+s) ([A-ZÄÖÜ]\w+)")
_OWNER_LAST = re.compile(r"(\w+) (?:of|von|del?|d['’])\s?([A-ZÄÖÜÉ]\w+)")


class _Owned(NamedTuple):
    """The roots of an owner, and of what a text says is theirs."""

    owner: str
    thing: str


def exchange_owners(one: Reading, two: Reading) -> bool:
    """Whether two texts exchange an owner with what is theirs, or two owners of the same thing with each other."""
    mine, other = _owned(one), _owned(two)
    return (
        any(_are_exchanged(here, there, one, two) for here, there in product(mine, other))
        or any(_does_it(here, one, two) for here in mine)
        or any(_does_it(there, two, one) for there in other)
    )


def _owned(text: Reading) -> Set[_Owned]:
    rooted = (_Owned(*(root(plain(word), text.tongue) for word in pair)) for pair in _phrases(text))
    return {one for one in rooted if one.owner and one.thing}


def _phrases(text: Reading) -> Iterator[tuple[str, str]]:
    """(owner, thing) of each possessive phrase, as written."""
    for said in text.sentences:
        for match in _OWNER_FIRST.finditer(said.text):
            yield match[1] or match[3], match[2] or match[4]
        for match in _OWNER_LAST.finditer(said.text):
            yield match[2], match[1]


def _are_exchanged(here: _Owned, there: _Owned, one: Reading, two: Reading) -> bool:
    """Whether texts give one thing two owners, and each also names the other's owner: Greta, Halina's aunt."""
    is_other = here.thing == there.thing and here.owner != there.owner
    return is_other and here.owner in two.roots and there.owner in one.roots


def _does_it(owned: _Owned, text: Reading, other: Reading) -> bool:
    """Whether one text has a word after an owner and a thing that the other text has between the two."""
    told = {root for said in text.sentences for root in _behind(said, owned)}
    return any(not told.isdisjoint(_between(said, owned)) for said in other.sentences)


def _behind(said: ReadSentence, owned: _Owned) -> list[str]:
    """The roots that follow the thing in its clause."""
    thing = next((word for word in said.words if word.root == owned.thing), None)
    return [word.root for word in said.words if thing and word.clause == thing.clause and word.at > thing.at]


def _between(said: ReadSentence, owned: _Owned) -> list[str]:
    """The roots between the owner and the thing, if the owner comes first."""
    words = [word.root for word in said.words]
    if not {owned.owner, owned.thing} <= set(words):
        return []
    return words[words.index(owned.owner) + 1 : words.index(owned.thing)]
