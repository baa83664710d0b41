"""The passages of a note: what recall compares with a question, so that a long note is found by any part of it."""

from collections.abc import Iterator
from typing import NamedTuple

WHOLE = 700  # characters: a text up to that length is one passage
_LEAST, _MOST = 540, 900  # characters of a passage of a longer text, if its lines allow it
_LEAD = 160  # characters: a paragraph up to that length belongs to the list, table, code or quotation below it
_FENCES = ("```", "~~~")
_CODE, _TABLE, _QUOTE, _LIST, _PROSE = range(5)


class Passage(NamedTuple):
    """A part of a text: the 1-based line at which it begins, the part itself, and the heading that it is `under`.

    It may begin with that heading. A text of one passage is under none.
    """

    line: int
    text: str
    under: str = ""


def split(text: str) -> list[Passage]:
    """The passages of a text, in order and without gaps; one of no characters has one passage.

    A passage ends at a blank line once it has some hundred characters, before a heading, and where a block of
    code, a table, a list or a quotation begins or ends; what is short stays with what follows. Within a long
    paragraph or block it ends at a line, within a long line at a sentence or a word.
    """
    if len(text) <= WHOLE:
        return [Passage(1, text)]
    made: list[Passage] = []
    lines: list[str] = []
    first, size, kind = 1, 0, _PROSE
    under = ""
    for number, line, here in _lines(text):
        is_blank = not line or line.isspace()
        is_heading = here == _PROSE and _is_heading(line)
        most = (
            _LEAD if is_heading or (here != kind and not is_blank) else _LEAST if is_blank else _MOST - len(line)
        )
        if lines and size > most:
            made.append(Passage(first, "\n".join(lines), under))
            lines, size = [], 0
        under = line if is_heading else under
        first = first if lines else number
        lines.append(line)
        size += len(line) + 1
        kind = kind if is_blank else here
    return [*made, Passage(first, "\n".join(lines), under)]


def _is_heading(line: str) -> bool:
    return line.startswith("#") and line.lstrip("#").startswith(" ")


def _lines(text: str) -> Iterator[tuple[int, str, int]]:
    """(1-based number, line, what it is part of) of each line; one too long for a passage comes in pieces."""
    fence, kind = "", _PROSE
    for number, line in enumerate(text.split("\n"), 1):
        sign = line.lstrip()[:3]
        if fence or sign in _FENCES:
            kind = _CODE
            fence = "" if sign == fence else fence or sign
        else:
            kind = _kind(line, kind)
        start = 0
        while len(line) - start > _MOST:
            end = _end_of_piece(line, start)
            yield number, line[start:end], kind
            start = end
        yield number, line[start:], kind


def _kind(line: str, before: int) -> int:
    """What a line outside of code is part of; `before` is what the line above it is."""
    sign = line.lstrip()
    if not sign[:1].isalpha():  # as few lines are
        if sign.startswith("|"):
            return _TABLE
        if sign.startswith(">"):
            return _QUOTE
        is_numbered = sign[:1].isdecimal() and sign.partition(". ")[0].isdecimal()
        if is_numbered or sign.startswith(("- ", "* ", "+ ")):
            return _LIST
    return _LIST if before == _LIST and line.startswith("  ") else _PROSE


def _end_of_piece(line: str, start: int) -> int:
    """Where a piece of a long line ends that begins at `start`: after a sentence, else a word, if there is one."""
    least, most = start + _LEAST, start + _MOST
    sentence = max(line.rfind(mark, least, most) for mark in (". ", "? ", "! ", "。"))
    end = sentence if sentence > 0 else line.rfind(" ", least, most)
    return end + 1 if end > 0 else most
