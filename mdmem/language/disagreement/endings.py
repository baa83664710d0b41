"""Whether a newer text says that something in the older one has ended: "Quit OmegaT", "ya no hay gas".

Both texts have to name what ends: "Otto sold his motorbike" says nothing about Otto's van.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.language.alignment.reading import Word
from mdmem.language.alignment.sides import Alignment
from mdmem.language.alignment.slots import SentencePair
from mdmem.language.disagreement import stance
from mdmem.language.doubt import normal
from mdmem.language.roots import folded

_TOKEN = re.compile(r"\w+|[,;:()–—!?.]")
_WORD = re.compile(r"\w+")
_ENDS = ("ENDS_OBJECT", "ENDS_DOING", "ENDS_SUBJECT")  # tables of phrases that say that something ends
_NEXT = 2  # words after such a phrase, of which one may be what ends


class _ToldWord(NamedTuple):
    """A content word of a sentence: its offset, its clause, and whether both texts have it."""

    start: int
    clause: int
    is_shared: bool


class ToldEnd(NamedTuple):
    """Whether a newer text says that something has ended, and how surely it means the older text's thing."""

    is_told: bool
    is_likely: bool
    is_clear: bool


def ending(aligned: Alignment) -> ToldEnd:
    """Whether the second of two aligned texts says that something in the first is over.

    That is clear if what ends is named right next to the words that say so, and likely if it is not far from them.
    """
    found = [one for pair in aligned.pairs for one in _endings(pair)]
    return ToldEnd(bool(found), any(one.is_likely for one in found), any(one.is_clear for one in found))


def is_of_one_day(text: str) -> bool:
    """Whether a text is about one day or week."""
    said = normal(text)
    return any(pattern.search(said) for pattern in stance.likely("ONE_DAY", said))


def _endings(pair: SentencePair) -> Iterator[ToldEnd]:
    said = normal(pair.second.text)
    of_object, of_doing, of_subject = (_matches(table, said) for table in _ENDS)
    if not (of_object or of_doing or of_subject):
        return
    places = list(_places(said, pair))
    for match in of_object:
        yield _of_object(said, match, places, known=1)
    for match in of_doing:
        yield _of_object(said, match, places, known=_NEXT)
    for match in of_subject:
        yield _of_subject(said, match, places)


def _matches(table: str, said: str) -> list[re.Match[str]]:
    return [match for pattern in stance.likely(table, said) for match in pattern.finditer(said)]


def _of_object(said: str, match: re.Match[str], places: Sequence[_ToldWord], known: int) -> ToldEnd:
    """The end of something named after the words that say so, or else within or before them.

    `known` is how many of the words that follow both texts must have.
    """
    clause = _clause_at(said, match.end())
    own = [place for place in places if place.clause == clause]
    last = match.end() - len(match[0].split()[-1])
    behind = [place.is_shared for place in own if place.start >= match.end()]
    behind = behind or [place.is_shared for place in own if place.start < last][-1:]
    is_clear = bool(behind) and all(behind[:known])
    return ToldEnd(is_told=True, is_likely=any(behind[:_NEXT]), is_clear=is_clear)


def _of_subject(said: str, match: re.Match[str], places: Sequence[_ToldWord]) -> ToldEnd:
    clause = _clause_at(said, match.start())
    before = [place.is_shared for place in places if place.clause == clause and place.start < match.start()]
    is_likely = bool(before) and 2 * sum(before) >= len(before)
    return ToldEnd(is_told=True, is_likely=is_likely, is_clear=is_likely and all(before))


def _places(said: str, pair: SentencePair) -> Iterator[_ToldWord]:
    """The content words of the newer sentence."""
    telling = _words_of(pair.second.words)
    shared = _words_of([match.second for match in pair.shared])
    for token in _WORD.finditer(said):
        word = folded(token[0])
        if word in telling:
            yield _ToldWord(token.start(), _clause_at(said, token.start()), word in shared)


def _words_of(words: Sequence[Word]) -> set[str]:
    return {folded(part) for word in words for part in _WORD.findall(normal(word.text))}


def _clause_at(said: str, at: int) -> int:
    """The number of the clause at an offset of a sentence."""
    return sum(not token[0].isalnum() for token in _TOKEN.finditer(said, 0, at))
