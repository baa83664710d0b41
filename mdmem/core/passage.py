"""The best passage of a note for a question: which line, and a piece of it with the words marked."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from mdmem.core import segment

OPEN, CLOSE = "\x02", "\x03"  # around each word that matched; renderers turn them into bold or **
WIDTH = 160  # characters of a snippet

_TOKEN = re.compile(r"[^\W_]+")


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
    hits, negative = max(scored, default=(0, 0))
    if not hits:
        at = next((at for at, line in enumerate(lines) if line.strip()), 0)
        return Passage(at + 1, _cut(lines[at].strip(), 0), lines[at])
    line = lines[-negative].strip()
    marked = _TOKEN.sub(lambda match: _marked(match[0], matches), line)
    return Passage(1 - negative, _cut(marked, marked.find(OPEN)), lines[-negative])


def plain(snippet: str) -> str:
    """A snippet with `**` around the words that matched."""
    return snippet.replace(f"{CLOSE} {OPEN}", " ").replace(OPEN, "**").replace(CLOSE, "**")


def _found(line: str, matches: Container[str]) -> set[str]:
    words = _TOKEN.findall(line.lower())
    return {word for word in words if word in matches or _unspaced_match(word, matches)}


def _unspaced_match(word: str, matches: Container[str]) -> bool:
    return segment.has_unspaced(word) and any(pair in matches for pair in segment.pairs(word))


def _marked(word: str, matches: Container[str]) -> str:
    if word.lower() in matches:
        return f"{OPEN}{word}{CLOSE}"
    if not segment.has_unspaced(word):
        return word
    hit = [False] * (len(word) + 1)
    for at, pair in enumerate(segment.pairs(word)):
        if pair in matches:
            hit[at : at + len(pair)] = [True] * len(pair)
    pieces = []
    for at, sign in enumerate(word):
        pieces.append((OPEN if hit[at] and (at == 0 or not hit[at - 1]) else "") + sign)
        pieces.append(CLOSE if hit[at] and not hit[at + 1] else "")
    return "".join(pieces)


def _cut(line: str, first: int) -> str:
    """The line, or WIDTH characters of it around the first mark, no mark cut open."""
    if len(line) <= WIDTH:
        return line
    start = max(0, first - WIDTH // 3)
    part = line[start : start + WIDTH]
    if part.count(OPEN) > part.count(CLOSE):
        part = part[: part.rindex(OPEN)]
    return ("… " if start else "") + part.strip() + (" …" if start + WIDTH < len(line) else "")
