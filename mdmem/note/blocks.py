"""What a note's Markdown says: headings, and whether it is marked as out of date. Line by line, skipping code.

Links are in `note.links`. `structure` (sections as data) is in `note.structure`; it needs a full Markdown
parser, this does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r"^ {0,3}<!--")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*)$")
_DEPRECATED = re.compile(r"[\s>]*(?:\[!\w+\][-+]?\s*)?[*_]*DEPRECATED:")  # in a callout, too


class Heading(NamedTuple):
    """`line` is 1-based within the text given."""

    level: int
    text: str
    line: int


def prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """(1-based number, line) of each line outside fenced code."""
    if "```" not in text and "~~~" not in text:
        yield from enumerate(text.split("\n"), 1)
        return
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif match:
            fence = match[1]
        else:
            yield number, line


def closing(text: str) -> str:
    """The line that ends a code fence or a comment that a text leaves open; "" where it leaves none.

    Without it whatever is written below would be code, or not be seen at all.
    """
    fence, commented = "", False
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif commented:
            commented = "-->" not in line
        elif match:
            fence = match[1]
        else:
            commented = bool(_COMMENT.match(line)) and "-->" not in line
    return fence or ("-->" if commented else "")


def headings(text: str) -> Iterator[Heading]:
    """The `#` headings outside code."""
    if "#" not in text:
        return
    for number, line in prose_lines(text):
        match = _HEADING.match(line) if "#" in line else None
        if match and (title := heading_text(match[2])):
            yield Heading(len(match[1]), title, number)


def heading_text(text: str) -> str:
    """A heading's text without a closing run of `#` (`Title ##` -> `Title`)."""
    text = text.strip()
    open_end = text.rstrip("#")
    return open_end.rstrip() if open_end != text and open_end[-1:] in ("", " ", "\t") else text


def is_deprecated(text: str) -> bool:
    """Whether a line outside code begins with `DEPRECATED:`, as the legacy protocol marks a superseded memory."""
    return "DEPRECATED:" in text and any(_DEPRECATED.match(line) for _, line in prose_lines(text))
