"""The passages of a note: what recall compares with a question, so that a long note is found by any part of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

WHOLE = 700  # characters: a text up to that length is one passage
_LEAST, _MOST = 540, 900  # characters of a passage of a longer text, if its lines allow it


class Passage(NamedTuple):
    """A part of a text: the 1-based line at which it begins, and the part itself."""

    line: int
    text: str


def split(text: str) -> list[Passage]:
    """The passages of a text, in order and without gaps; one of no characters has one passage.

    A passage ends at a blank line or before a heading, once it has some hundred characters; within a long
    paragraph or list it ends at a line, within a long line at a sentence or a word.
    """
    if len(text) <= WHOLE:
        return [Passage(1, text)]
    made: list[Passage] = []
    first, lines, size = 1, list[str](), 0
    for number, line in _lines(text):
        is_boundary = not line.strip() or line.startswith("#")
        is_full = size + len(line) > _MOST if not is_boundary else size >= _LEAST
        if lines and is_full:
            made.append(Passage(first, "\n".join(lines)))
            lines, size = [], 0
        if not lines:
            first = number
        lines.append(line)
        size += len(line) + 1
    return [*made, Passage(first, "\n".join(lines))]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """(1-based number, line) of each line of a text; a line that is too long for a passage comes in pieces."""
    for number, line in enumerate(text.split("\n"), 1):
        start = 0
        while len(line) - start > _MOST:
            end = _end_of_piece(line, start)
            yield number, line[start:end]
            start = end
        yield number, line[start:]


def _end_of_piece(line: str, start: int) -> int:
    """Where a piece of a long line ends that begins at `start`: after a sentence, else a word, if there is one."""
    least, most = start + _LEAST, start + _MOST
    sentence = max(line.rfind(mark, least, most) for mark in (". ", "? ", "! ", "。"))
    end = sentence if sentence > 0 else line.rfind(" ", least, most)
    return end + 1 if end > 0 else most
