"""A summary taken apart into its concepts: each bullet, and each paragraph, is one (B11)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from mdmem.text import sentences

_BULLET = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+(?=\S)")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_TITLE_CHARS = 80
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")


class Concept(NamedTuple):
    """One thing that is said: its text, and the line where it begins (1-based)."""

    line: int
    text: str

    @property
    def title(self) -> str:
        """Its first sentence, cut where it is too long for a title."""
        sentence = sentences.first(" ".join(self.text.split()))
        return textwrap.shorten(sentence.rstrip(".,;:"), _TITLE_CHARS, placeholder=" …")


def split(text: str) -> list[Concept]:
    """The concepts of a text. Headings, and lines that only announce a list, are none."""
    found = []
    for start, lines in _blocks(text.replace("\r\n", "\n").split("\n")):
        bullet = _BULLET.match(lines[0])
        first = lines[0][bullet.end() :] if bullet else lines[0]
        rest = textwrap.dedent("\n".join(lines[1:]))
        said = "\n".join(filter(None, (first.strip(), rest.rstrip())))
        announces = not bullet and len(lines) == 1 and said.endswith(":")
        if not (announces or _HEADING.match(lines[0])):
            found.append(Concept(start, said))
    return found


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """(line number, lines) of each bullet with what is indented under it, and of each paragraph."""
    block: list[str] = []
    start, fenced = 0, False
    for number, line in enumerate(lines, 1):
        begins = bool(_BULLET.match(line) or _HEADING.match(line))
        after_heading = len(block) == 1 and bool(_HEADING.match(block[0]))
        if not fenced and (begins or after_heading or not line.strip()):
            if block:
                yield start, block
            block = []
        if line.strip() or fenced:
            start = start if block else number
            block.append(line)
        fenced ^= bool(_FENCE.match(line))
    if block:
        yield start, block
