"""What the page of the authors of a memory shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from mdmem.page.links import PageLinks
from mdmem.page.markdown import LONGEST
from mdmem.values import NamedTuple


class WrittenLines(NamedTuple):
    """Lines in a row that one commit wrote: the first of them as a value, and the text of all.

    It `is_cut` if the text is so long that what follows is left out.
    """

    first: Mapping[str, Any]
    text: str
    is_cut: bool = False


class BlameView(NamedTuple):
    """A memory in pieces, each with who wrote it."""

    title: str
    memory: str
    path: str
    pieces: Sequence[WrittenLines]


def view(value: Mapping[str, Any], links: PageLinks) -> BlameView:
    """The page of a value of `reading.blame`."""
    del links
    return BlameView(f"Who wrote {value['title']}", value["title"], value["path"], pieces_of(value["lines"]))


def pieces_of(lines: Sequence[Mapping[str, Any]]) -> list[WrittenLines]:
    """Lines in the pieces that one commit each wrote; of a very long text those at its beginning."""
    pieces = []
    room = LONGEST
    for _, group in groupby(lines, key=lambda line: line["commit"]):
        piece = list(group)
        text = "\n".join(line["text"] for line in piece)
        pieces.append(WrittenLines(piece[0], text[:room], is_cut=len(text) > room))
        room -= len(text)
        if room < 0:
            break
    return pieces
