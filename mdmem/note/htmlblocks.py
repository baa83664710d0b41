"""How an HTML block begins and ends: the seven conditions of CommonMark 0.31.2, section 4.6."""

from __future__ import annotations

import re
from typing import NamedTuple

from mdmem.note import patterns

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl"
    "|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link"
    "|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th"
    "|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*'|\"[^\"]*\"))?"
_OPEN_TAG = rf"<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?>"
_CLOSING_TAG = r"</[A-Za-z][A-Za-z0-9-]*+\s*+>"


class HtmlBlock(NamedTuple):
    """A condition: the patterns that begin and end a block (end None: a blank line), and a text that ends it."""

    start: re.Pattern[str]
    end: re.Pattern[str] | None
    closing: str = ""


_LITERAL = HtmlBlock(
    patterns.late(r"<(?:script|pre|style|textarea)(?:\s|>|$)", re.I),
    patterns.late(r"</(?:script|pre|style|textarea)>", re.I),
    "</pre>",
)
COMMENT_BLOCK = HtmlBlock(patterns.late(r"<!--"), patterns.late(r"-->"), "-->")
_INSTRUCTION = HtmlBlock(patterns.late(r"<\?"), patterns.late(r"\?>"), "?>")
_DECLARATION = HtmlBlock(patterns.late(r"<![A-Za-z]"), patterns.late(r">"), ">")
_CDATA = HtmlBlock(patterns.late(r"<!\[CDATA\["), patterns.late(r"\]\]>"), "]]>")
_BLOCK_ELEMENT = HtmlBlock(patterns.late(rf"</?(?:{_BLOCK_TAGS})(?:\s|/?>|$)", re.I), None)
_SINGLE_TAG = HtmlBlock(patterns.late(rf"(?:{_OPEN_TAG}|{_CLOSING_TAG})\s*$"), None)

_CONDITIONS = (_LITERAL, COMMENT_BLOCK, _INSTRUCTION, _DECLARATION, _CDATA, _BLOCK_ELEMENT, _SINGLE_TAG)

# Obsidian's block comment is not HTML, but begins and ends like it.
OBSIDIAN_COMMENT = HtmlBlock(patterns.late(r"%%"), patterns.late(r"%%"), "%%")


def begun(row: str, start: int, in_paragraph: bool) -> HtmlBlock | None:
    """The block that begins in the line `row` at `start`, if any; a single tag cannot interrupt a paragraph."""
    for block in _CONDITIONS:
        if block.start.match(row, start):
            return None if in_paragraph and block is _SINGLE_TAG else block
    return None


def begins_obsidian_comment(text: str, may_end_below: bool) -> bool:
    """Whether a text is a `%%` comment and nothing else, or begins one that ends further down."""
    inner = text.strip()[2:]
    if not text.startswith("%%"):
        return False
    if "%%" not in inner:
        return may_end_below
    return inner.find("%%") == len(inner) - 2
