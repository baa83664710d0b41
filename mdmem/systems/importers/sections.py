"""Splits a text into its sections, each under a heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdmem.note import blocks
from mdmem.note.blocks import Heading


def of(text: str) -> Iterator[tuple[str, str]]:
    """(title, text with its heading) of each section. Text above the first heading is a section without a title.

    Sections begin at the topmost headings, or, if one heading titles the whole text, at those one level below.
    """
    headings = list(blocks.headings(text))
    level = _level(headings)
    starts = [heading for heading in headings if heading.level == level]
    rows = text.split("\n")
    first = starts[0].line - 1 if starts else len(rows)
    if not starts or _says_something(rows[:first], headings):
        yield "", "\n".join(rows[:first]).strip()
    ends = [heading.line - 1 for heading in starts[1:]] + [len(rows)]
    for heading, end in zip(starts, ends, strict=False):
        yield heading.text, "\n".join(rows[heading.line - 1 : end]).strip()


def _level(headings: Sequence[Heading]) -> int:
    """The level of the headings that begin a section; 0 if there are none."""
    levels = [heading.level for heading in headings]
    top = min(levels, default=0)
    deeper = [level for level in levels if level > top]
    is_title = levels.count(top) == 1 and levels[:1] == [top] and bool(deeper)
    return min(deeper) if is_title else top


def _says_something(rows: Sequence[str], headings: Sequence[Heading]) -> bool:
    of_headings = {row for heading in headings for row in range(heading.line - 1, heading.end)}
    return any(row.strip() for number, row in enumerate(rows) if number not in of_headings)
