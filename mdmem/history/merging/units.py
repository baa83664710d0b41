"""The text of a note as units that a merge keeps whole: a line, a heading, fenced code, a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.history.merging import conflict
from mdmem.note import blocks

ITEM, CONFLICT = "item", "conflict"  # kinds of units, besides the kinds of lines
_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_WHOLE = frozenset((blocks.FENCE, blocks.COMMENT, blocks.HTML, blocks.HEADING))
_FIRST = ""  # the kind "above" the first unit of a text


class Unit(NamedTuple):
    """Lines that stay together. `gap` are the blank lines above them; `after` is the kind of the unit above."""

    text: str
    kind: str
    level: int = 0
    gap: tuple[str, ...] = ()
    after: str = _FIRST

    @property
    def indent(self) -> int:
        """The number of spaces or tabs before its text."""
        return len(self.text) - len(self.text.lstrip())


class Units(NamedTuple):
    """A text as units, and the blank lines at its end: ("",) is a final newline."""

    units: list[Unit]
    end: tuple[str, ...]


def split(text: str) -> Units:
    """Split a text with `\\n` line ends into units; `join` puts it together again."""
    units: list[Unit] = []
    gap: list[str] = []
    for line, kind, level, continues in _lines(text):
        if not line.strip() and not continues:
            gap.append(line)
        elif continues and units and units[-1].kind == kind:
            units[-1] = units[-1]._replace(text="\n".join([units[-1].text, *gap, line]))
            gap = []
        else:
            units.append(Unit(line, kind, level, tuple(gap), units[-1].kind if units else _FIRST))
            gap = []
    return Units(units, tuple(gap))


def join(units: Iterable[Unit], end: Sequence[str]) -> str:
    """The text of some units."""
    rows: list[str] = []
    for unit in units:
        rows += [*unit.gap, unit.text]
    return "\n".join([*rows, *end])


def seamed(units: Iterable[Unit]) -> Iterator[Unit]:
    """Units with the blank lines that they need where they now follow another kind of unit than before."""
    before = _FIRST
    for unit in units:
        yield unit._replace(gap=_seam(before, unit), after=before)
        before = unit.kind


def _seam(before: str, unit: Unit) -> tuple[str, ...]:
    if before in (unit.after, _FIRST) or CONFLICT in (before, unit.kind):
        return unit.gap
    if before == unit.kind == ITEM:
        return ()
    continues_item = before == ITEM and unit.indent > 0
    return unit.gap or (() if continues_item else ("",))


def _lines(text: str) -> Iterator[tuple[str, str, int, bool]]:
    """Text, kind and level of each line, and whether it belongs to the unit above; a conflict is one line."""
    rows = text.split("\n")
    at = 0
    for block in conflict.find(text):
        yield from _plain_lines(rows[at : block.start])
        yield "\n".join(rows[block.start : block.end]), CONFLICT, 0, False
        at = block.end
    yield from _plain_lines(rows[at:])


def _plain_lines(rows: list[str]) -> Iterator[tuple[str, str, int, bool]]:
    if not rows:
        return
    for line in blocks.lines("\n".join(rows)):
        is_item = line.kind is blocks.PROSE and bool(_MARKER.match(line.text))
        yield line.text, ITEM if is_item else line.kind, line.level, line.continues and line.kind in _WHOLE
