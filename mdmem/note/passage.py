"""The best passage of a note for a question: which line, and a piece of it with the words marked."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from mdmem.text import segment

OPEN, CLOSE = "\x02", "\x03"  # around each word that matched; renderers turn them into bold or **
WIDTH = 160  # characters of a snippet, marks left out


class Passage(NamedTuple):
    """`line` is 1-based within the note's text; `text` is that line.

    `snippet` is a piece of it, each word that matched between OPEN and CLOSE.
    """

    line: int
    snippet: str
    text: str


def best(text: str, matches: Container[str]) -> Passage:
    """The line of `text` with the most words of `matches` (lower case); if it has none, the first with text."""
    lines = text.split("\n")
    scored = [(len(_found(line, matches)), -at) for at, line in enumerate(lines)]
    hits, negative = max(scored)
    at = -negative if hits else next((at for at, line in enumerate(lines) if line.strip()), 0)
    return Passage(at + 1, _snippet(lines[at].translate(_UNMARKED).strip(), matches), lines[at])


def plain(snippet: str) -> str:
    """A snippet with `**` around the words that matched."""
    return snippet.replace(f"{CLOSE} {OPEN}", " ").replace(OPEN, "**").replace(CLOSE, "**")


_UNMARKED = str.maketrans("", "", OPEN + CLOSE)


def _found(line: str, matches: Container[str]) -> set[str]:
    return {word for word in segment.words(line) if word in matches}


def _snippet(line: str, matches: Container[str]) -> str:
    """The line, or WIDTH characters of it around the first match, with the matches marked."""
    marks = _marks(line, matches)
    start = max(0, marks[0][0] - WIDTH // 3) if marks and len(line) > WIDTH else 0
    end = start + WIDTH
    pieces, at = [], start
    for first, last in marks:
        if first < end:
            pieces += [line[at:first], OPEN, line[first : min(last, end)], CLOSE]
            at = min(last, end)
    text = "".join([*pieces, line[at:end]]).strip()
    return ("… " if start else "") + text + (" …" if end < len(line) else "")


def _marks(line: str, matches: Container[str]) -> list[tuple[int, int]]:
    """(start, end) of each part of the line to be marked; pairs of signs that overlap or touch are one."""
    marks: list[tuple[int, int]] = []
    for start, end, word in segment.spans(line):
        if word in matches:
            touching = marks.pop() if marks and start <= marks[-1][1] else (start, end)
            marks.append((touching[0], max(touching[1], end)))
    return marks
