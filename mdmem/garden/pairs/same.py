"""Notes of the same words, and notes of which another one has every sentence: certain without any judgement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from mdmem.garden.gardeners.note import Note
from mdmem.garden.pairs import words
from mdmem.note import links, pieces, sentences

_FRAME = re.compile(r"^(?:[-*+>#\s]|\d+[.)]\s)+|[\s.,;:!?]+$")
_LEAST = 3  # words of a sentence that shows that a note is within another one
_MOST = 30  # notes that share a sentence; one that more have is of a template


def pairs(notes: Sequence[Note]) -> Iterator[tuple[int, int, bool]]:
    """(place, later place, whether they say the same words) for each two notes of which one holds the other."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    said = [lines(note) for note in notes]
    for at, own in enumerate(said):
        for line in own:
            if len(line.split()) >= _LEAST:
                holding[line].append(at)
    seen: set[tuple[int, int]] = set()
    for places in holding.values():
        if len(places) <= _MOST:
            seen.update(combinations(places, 2))
    for first, second in sorted(seen):
        one, two = said[first], said[second]
        if (one <= two or two <= one) and _are_named_alike(notes[first], notes[second]):
            yield first, second, one == two


def lines(note: Note) -> frozenset[str]:
    """The sentences of a note, in lower case, without marks of lists and ends; a long note is one."""
    body = pieces.without_title(note.body, note.title)
    if note.length > words.LONGEST:
        return frozenset((" ".join(body.split()),))
    found = (_FRAME.sub("", sentence).casefold() for sentence in sentences.split(body))
    return frozenset(" ".join(line.split()) for line in found if line)


def _are_named_alike(one: Note, two: Note) -> bool:
    """Whether not each of two titles names something that neither the other one nor a text says."""
    first, second = _telling(one.title), _telling(two.title)
    said = _telling(links.apart(one.body)[0]) | _telling(links.apart(two.body)[0])
    return not (first - second - said and second - first - said)


def _telling(text: str) -> frozenset[str]:
    return frozenset(words.telling(words.read(text)))
