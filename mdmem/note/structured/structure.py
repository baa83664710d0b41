"""The bullets and code of a Markdown text; the only module that parses with markdown-it-py.

`bullets` reads bullets as values, `sections` whole bodies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import dropwhile, takewhile
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

MAX_NESTING = 36  # nested blocks that are read; each bullet counts for several

# A bullet of one line of plain words, which is a paragraph whatever stands above or below it.
_PLAIN_BULLET = re.compile(r"(?P<indent>(?:\x20\x20){0,7})- (?P<text>(?:[^\W\d_]|\"|\d(?!\d{0,8}[.)]))(?:.*\S)?)")


class Code(NamedTuple):
    """Fenced code: its info string, and its text."""

    info: str
    text: str


class Bullet(NamedTuple):
    """A bullet of a text: lines `first` (0-based) up to `end`.

    `text` is its first paragraph, `code` and `nested` are what follows that. `source` is the whole bullet, if it
    has more than those.
    """

    first: int
    end: int
    text: str | None
    code: Code | None
    nested: tuple[Bullet, ...] | None
    source: str | None = None


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).disable(["reference", "html_block", "inline"])


def whole_list(text: str) -> tuple[Bullet, ...]:
    """The bullets of a text that is just one list, numbered or not; () for any other."""
    if plain := _plain_list(text):
        return plain
    nodes = SyntaxTreeNode(_parser().parse(text)).children
    return _bullets(nodes[0], text.split("\n")) if len(nodes) == 1 and _is_list(nodes[0]) else ()


def first_list(text: str) -> tuple[Bullet, ...]:
    """The bullets of the first lists in a text, whatever their markers; () if it has none."""
    if plain := _plain_list(text):
        return plain
    rows = text.split("\n")
    blocks = dropwhile(lambda node: not _is_list(node), SyntaxTreeNode(_parser().parse(text)).children)
    return tuple(bullet for node in takewhile(_is_list, blocks) for bullet in _bullets(node, rows))


def code_of(text: str) -> Code | None:
    """The fenced code that makes up a text; None if there is anything else in it."""
    nodes = SyntaxTreeNode(_parser().parse(text)).children
    return _code(nodes[0]) if len(nodes) == 1 and nodes[0].type == "fence" else None


def _plain_list(text: str) -> tuple[Bullet, ...]:
    """The bullets of a text that is one list in the form that `bullets.write` gives it without code; else ()."""
    rows = text.split("\n")
    matches = [match for row in rows if row.isprintable() and (match := _PLAIN_BULLET.fullmatch(row))]
    if len(matches) < len(rows):
        return ()
    levels = [len(match["indent"]) // 2 for match in matches]
    is_nested_by_steps = all(level <= above + 1 for above, level in zip([-1, *levels], levels, strict=False))
    return _plain_bullets(levels, [match["text"] for match in matches], 0, len(rows)) if is_nested_by_steps else ()


def _plain_bullets(levels: Sequence[int], texts: Sequence[str], start: int, end: int) -> tuple[Bullet, ...]:
    """The bullets in the lines from `start` up to `end` that are of the same level as the first."""
    level = levels[start]
    places = [place for place in range(start, end) if levels[place] == level]
    ends = [*places[1:], end]
    return tuple(
        Bullet(
            place,
            below,
            texts[place],
            None,
            _plain_bullets(levels, texts, place + 1, below) if below > place + 1 else None,
        )
        for place, below in zip(places, ends, strict=True)
    )


def _is_list(node: SyntaxTreeNode) -> bool:
    return node.type in ("bullet_list", "ordered_list")


def _code(node: SyntaxTreeNode) -> Code:
    return Code(node.info.strip(), node.content.removesuffix("\n"))


def _bullets(node: SyntaxTreeNode, rows: Sequence[str]) -> tuple[Bullet, ...]:
    return tuple(_bullet(item, rows) for item in node.children)


def _bullet(item: SyntaxTreeNode, rows: Sequence[str]) -> Bullet:
    first, end = item.map or (0, 0)
    blocks = list(item.children)
    head = blocks.pop(0) if blocks and blocks[0].type == "paragraph" else None
    below = blocks.pop(0) if blocks and (_is_list(blocks[0]) or blocks[0].type == "fence") else None
    return Bullet(
        first,
        _end_of(rows, first, end),
        head.children[0].content if head else None,
        _code(below) if below and below.type == "fence" else None,
        _bullets(below, rows) if below and _is_list(below) else None,
        _source_of(rows[first:end]) if blocks else None,
    )


def _end_of(rows: Sequence[str], first: int, end: int) -> int:
    """The line after the last line of a bullet that is not blank."""
    while end > first + 1 and not rows[end - 1].strip():
        end -= 1
    return end


def _source_of(rows: Sequence[str]) -> str:
    """The text of a bullet that holds more than a value, without its indentation."""
    indent = len(rows[0]) - len(rows[0].lstrip()) + 2
    rest = [row[indent:] if not row[:indent].strip() else row for row in rows[1:]]
    return "\n".join([rows[0].strip()[1:].strip(), *rest]).strip()
