"""The view of who wrote which lines of a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks
from mdmem.page.markdown import LONGEST


class WrittenLines(NamedTuple):
    """Consecutive lines that one commit wrote: the value of the first line, and the text of them all.

    If `is_cut`, the text was too long, and its rest and all later lines are left out.
    """

    first: Mapping[str, Any]
    text: str
    is_cut: bool = False


class BlameView(NamedTuple):
    """A memory in pieces, each with its author."""

    title: str
    memory: str
    path: str
    pieces: Sequence[WrittenLines]


def view(value: Mapping[str, Any], links: PageLinks) -> BlameView:
    """The view for a value of `reading.blame`."""
    del links
    return BlameView(f"Who wrote {value['title']}", value["title"], value["path"], pieces_of(value["lines"]))


def pieces_of(lines: Sequence[Mapping[str, Any]]) -> list[WrittenLines]:
    """The lines grouped into consecutive pieces, each written by one commit. A very long text is cut."""
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
