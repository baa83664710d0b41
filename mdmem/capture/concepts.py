"""Splits a summary into its concepts: each bullet and each paragraph is one."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from mdmem.note import blocks

_BULLET = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+(?=\S)")


class Concept(NamedTuple):
    """One statement: its text, and the line where it begins (1-based)."""

    line: int
    text: str


def split(text: str) -> list[Concept]:
    """The concepts of a text. Headings, and lines that only announce a list, are not concepts."""
    concepts = []
    for start, lines in _blocks(text.replace("\r\n", "\n")):
        bullet = _BULLET.match(lines[0])
        first = lines[0][bullet.end() :] if bullet else lines[0]
        rest = textwrap.dedent("\n".join(lines[1:]))
        said = "\n".join(filter(None, (first.strip(), rest.rstrip())))
        announces = not bullet and len(lines) == 1 and said.endswith(":")
        if not announces:
            concepts.append(Concept(start, said))
    return concepts


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """(line number, lines) of each bullet with what is indented under it, and of each paragraph."""
    block: list[str] = []
    start = 0
    for line in blocks.lines(text):
        in_code = line.kind is blocks.FENCE and line.continues
        is_heading = line.kind is blocks.HEADING and line.text.lstrip().startswith(
            "#"
        )  # an underlined one is kept
        is_gap = is_heading or (not in_code and not line.text.strip())
        begins = not in_code and bool(_BULLET.match(line.text))
        if block and (is_gap or begins):
            yield start, block
            block = []
        if not is_gap:
            start = start if block else line.number
            block.append(line.text)
    if block:
        yield start, block
