"""Sentences that fill in one form twice: "The hall has a floor of oak", "The attic has a floor of pine"."""

from __future__ import annotations

from collections.abc import Iterator, Set
from difflib import SequenceMatcher

from mdmem.language.alignment.reading import plain, root, tokens
from mdmem.language.alignment.slots import SentencePair

_LEAST_FIXED = 2  # least function words of a form
_FRAME = 0.75  # least share of two forms that is the same (difflib's ratio)
_GAP = "*"


def is_one_form(pair: SentencePair, tongue: str) -> bool:
    """Whether two sentences fill in one form twice: the same function words around different content words."""
    if not (pair.alone_first and pair.alone_second):
        return False
    known = {match.first.root for match in pair.shared} | {match.second.root for match in pair.shared}
    one, two = (list(_frame(said.text, known, tongue)) for said in (pair.first, pair.second))
    is_told = min(len(frame) - frame.count(_GAP) for frame in (one, two)) >= _LEAST_FIXED
    if not is_told:
        return False
    match = SequenceMatcher(None, one, two, autojunk=False)
    return match.quick_ratio() >= _FRAME and match.ratio() >= _FRAME  # the first is an upper bound, and faster


def _frame(text: str, known: Set[str], tongue: str) -> Iterator[str]:
    """The words of a sentence, with a gap for each content word that the other sentence lacks."""
    for token in map(plain, tokens(text)):
        if token[0].isalnum():
            rooted = root(token, tongue)
            yield rooted or token if not rooted or rooted in known else _GAP
