"""Classifies each line of a note's Markdown; finds its headings and whether it is marked as deprecated.

`lines` is the only reader of Markdown here; everything else filters its output. It follows the block structure of
CommonMark 0.31.2: containers (sections 5.1 and 5.2, with lazy continuation) hold leaves (section 4). It makes a
single pass over the lines without lookahead, except that a paragraph is held back until it is known whether an
underline makes it a heading. Beyond CommonMark, Obsidian's `%%` comments are comments.

`note.links` finds links, `note.pieces` splits a text at its headings and blank lines. `note.sections`
and `note.bullets` read data; they need a full Markdown parser, which this module does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdmem.note import patterns

# The kinds of lines. A line in a list item has the kind it would have outside the item, except for headings.
PROSE = "prose"  # paragraphs, list items, tables, blank lines
HEADING = "heading"  # ATX (section 4.2) or setext with its underline (4.3); one in a quote or list item is text
RULE = "rule"  # a thematic break (4.1)
QUOTE = "quote"  # anything in a block quote (5.1) except code, HTML and comments
FENCE = "fence"  # fenced code with its fences (4.5)
INDENTED = "indented"  # indented code (4.4)
COMMENT = "comment"  # a block that begins with `<!--` (4.6, condition 2), or Obsidian's `%%`
HTML = "html"  # any other HTML block (4.6)

CODE = frozenset((FENCE, INDENTED))
UNREAD = CODE | {COMMENT}  # shown or hidden in a note, but not part of what it says

_MAX_DEPTH = 50  # nested containers; anything nested deeper counts as text
_QUOTE_WIDTH = 0  # a quote in the list of open containers; a list item is the width of its marker and indent

_SPACES = patterns.late(" *")
_ATX = patterns.late(r"(?P<marks>#{1,6})(?:[ \t\r]|$)")
_UNDERLINE = patterns.late(r"(?:=+|-+) *$")
_RULE = patterns.late(r"(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$")
_FENCE = patterns.late(r"(?P<marks>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_ITEM = patterns.late(r"(?:[-+*]|(?P<number>\d{1,9})[.)])(?P<gap> +|$)")
_PLAIN_ITEM = patterns.late(r"[-*+] (?:\*\*|\[\[)?[^\W\d_]")
_DEFINITION = patterns.late(  # of a reference (section 4.7), on one line
    r"\[(?:[^\[\]\\]|\\.)+\]: *(?:<[^<>]*>|[^\s<]\S*)(?: +(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))? *$"
)
# A `#`, or a line below one that is neither blank nor a rule.
_MAY_HOLD_HEADING = patterns.late(
    r"^ {0,3}#{1,6}(?:\s|$)|^(?! {0,3}-{3,}[ \t\r]*$)(?=[^\n]*\S)[^\n]*\n {0,3}(?:=+|-+)\s*$", re.M
)
_HIDING = ("```", "~~~", "<", "\t", "%%", "    ")  # every code and comment has one of these
# What may hide a heading, or be one outside the first column. A search for line breaks is faster than one for `^`.
_MAY_HIDE_HEADING = patterns.late(r"\n(?: {0,3}(?:[<%`~]|[=-]+[^\S\n]*(?:\n|\Z))| +#)")
_DEPRECATED = patterns.late(r"[\s>]*(?:\[!\w+\][-+]?\s*)?[*_]*DEPRECATED:")  # in a callout, too


_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl"
    "|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link"
    "|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th"
    "|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*'|\"[^\"]*\"))?"
_OPEN_TAG = rf"<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?>"
_CLOSING_TAG = r"</[A-Za-z][A-Za-z0-9-]*+\s*+>"


class _HtmlBlock(NamedTuple):
    """HTML by section 4.6: the patterns that begin and end it (None: a blank line), and a text that ends it."""

    start: re.Pattern[str]
    end: re.Pattern[str] | None
    closing: str = ""


_COMMENT_BLOCK = _HtmlBlock(patterns.late(r"<!--"), patterns.late(r"-->"), "-->")
# Obsidian's block comment is not HTML, but begins and ends like it.
_OBSIDIAN_COMMENT = _HtmlBlock(patterns.late(r"%%"), patterns.late(r"%%"), "%%")
_SINGLE_TAG = _HtmlBlock(patterns.late(rf"(?:{_OPEN_TAG}|{_CLOSING_TAG})\s*$"), None)
_CONDITIONS = (
    _HtmlBlock(
        patterns.late(r"<(?:script|pre|style|textarea)(?:\s|>|$)", re.I),
        patterns.late(r"</(?:script|pre|style|textarea)>", re.I),
        "</pre>",
    ),
    _COMMENT_BLOCK,
    _HtmlBlock(patterns.late(r"<\?"), patterns.late(r"\?>"), "?>"),
    _HtmlBlock(patterns.late(r"<![A-Za-z]"), patterns.late(r">"), ">"),
    _HtmlBlock(patterns.late(r"<!\[CDATA\["), patterns.late(r"\]\]>"), "]]>"),
    _HtmlBlock(patterns.late(rf"</?(?:{_BLOCK_TAGS})(?:\s|/?>|$)", re.I), None),
    _SINGLE_TAG,
)


class Line(NamedTuple):
    """A line of a text, verbatim. `number` is 1-based, `level` is 1-6 for a heading and 0 for others.

    `continues` is whether it continues the paragraph, setext heading, fenced code or HTML of the line above.
    """

    number: int
    text: str
    kind: str
    level: int = 0
    continues: bool = False


class Heading(NamedTuple):
    """A heading. `line` is 1-based within the text given; `end` is its last line: the underline, if it has one."""

    level: int
    text: str
    line: int
    end: int


class Fence(NamedTuple):
    """A line that opens or closes fenced code: its three or more backticks or tildes, and the text after them."""

    marks: str
    info: str

    def closes(self, opening: Fence) -> bool:
        """Whether this line ends the code that `opening` began (section 4.5)."""
        return not self.info and self.marks.startswith(opening.marks)


def lines(text: str) -> Iterator[Line]:
    """Every line of a text with its kind. Lines end at `\\n`; a `\\r` counts as a space."""
    scanner = _Scanner(text)
    paragraph: list[Line] = []  # at the top level, held back: an underline would make it a heading
    for number, line in enumerate(text.split("\n"), 1):
        kind, level, continues = scanner.read(line)
        if paragraph and not continues:
            yield from paragraph
            paragraph.clear()
        new = Line(number, line, kind, level, continues)
        if scanner.may_be_underlined:
            paragraph.append(new)
            continue
        if continues and kind is HEADING:
            yield from (held._replace(kind=HEADING, level=level) for held in paragraph)
            paragraph.clear()
        yield new
    yield from paragraph


def prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """(1-based number, line) of each line that is neither code nor a comment."""
    if not any(mark in text for mark in _HIDING):
        return enumerate(text.split("\n"), 1)
    return ((line.number, line.text) for line in lines(text) if line.kind not in UNREAD)


def headings(text: str) -> Iterator[Heading]:
    """The headings of a text that are not empty, except those in quotes and lists."""
    if not _MAY_HOLD_HEADING.search(text):
        return
    is_simple = not _MAY_HIDE_HEADING.search("\n" + text)
    parts: list[Line] = []
    for line in _first_column(text) if is_simple else lines(text):
        if parts and not line.continues:
            yield from _heading(parts)
            parts = []
        if line.kind is HEADING:
            parts.append(line)
    if parts:
        yield from _heading(parts)


def _first_column(text: str) -> Iterator[Line]:
    """The headings of a text in which all `#` headings begin in the first column and nothing can hide them."""
    for number, line in enumerate(text.split("\n"), 1):
        match = _ATX.match(line) if line.startswith("#") else None
        if match:
            yield Line(number, line, HEADING, len(match["marks"]))


def _heading(parts: list[Line]) -> Iterator[Heading]:
    """The heading in some lines (one ATX heading, or a paragraph and its underline), unless it is empty."""
    first = parts[0]
    if len(parts) == 1:
        text = heading_text(first.text.strip().lstrip("#"))
    else:
        text = " ".join(line.text.strip() for line in parts[:-1])
    if text:
        yield Heading(first.level, text, first.number, parts[-1].number)


def heading_text(text: str) -> str:
    """A heading's text without a closing run of `#` (`Title ##` -> `Title`)."""
    text = text.strip()
    open_end = text.rstrip("#")
    return open_end.rstrip() if open_end != text and open_end[-1:] in ("", " ", "\t") else text


def closing(text: str) -> str:
    """The line that closes the code, comment or HTML that a text leaves open; "" if it leaves none open.

    Without that line, text added below would be code, or hidden.
    """
    scanner = _Scanner(text)
    for line in text.split("\n"):
        scanner.read(line)
    return scanner.closing()


def fence(line: str) -> Fence | None:
    """A line parsed as a fence, None if it is not one. Also used for texts that only resemble Markdown."""
    match = _FENCE.match(line.strip())
    return Fence(match["marks"], match["info"].strip()) if match else None


def is_deprecated(text: str) -> bool:
    """Whether a line outside code begins with `DEPRECATED:`, as the legacy protocol marks a superseded memory."""
    return "DEPRECATED:" in text and any(_DEPRECATED.match(line) for _, line in prose_lines(text))


# -- the scanner -------------------------------------------------------------------------------------------

_Read = tuple[str, int, bool]  # kind, level and continues of a Line
_NEW_TEXT: _Read = (PROSE, 0, False)
_MORE_TEXT: _Read = (PROSE, 0, True)
_IN_FENCE: _Read = (FENCE, 0, True)


class _Scanner:
    """Reads a text line by line and tracks what is open: the containers, and the leaf in the innermost one."""

    def __init__(self, text: str) -> None:
        self._containers: list[int] = []  # _QUOTE_WIDTH, or the columns by which the text of an item is indented
        self._leaf = ""  # the kind of the open leaf, "" for none; PROSE is a paragraph
        self._fence = Fence("", "")
        self._html = _COMMENT_BLOCK
        self._empty_item = False  # the innermost container is an item with no text yet
        self._comment_marks = text.count("%%")  # left in the text

    @property
    def may_be_underlined(self) -> bool:
        """Whether a paragraph is open at the top level."""
        return not self._containers and self._leaf is PROSE

    def closing(self) -> str:
        """The text that would close the open leaf; "" for a leaf in a container, which ends with that."""
        if self._containers:
            return ""
        if self._leaf is FENCE:
            return self._fence.marks
        return self._html.closing if self._leaf in (HTML, COMMENT) else ""

    def read(self, line: str) -> _Read:
        """The kind, level and continuation of the next line."""
        if self._comment_marks:
            self._comment_marks -= line.count("%%")
        return self._quickly(line) or self._carefully(line)

    def _quickly(self, line: str) -> _Read | None:
        """The result of `_carefully` for the most common lines, found faster; None for all others."""
        if self._leaf is FENCE:
            return _IN_FENCE if not self._containers and line[:1] not in " \t`~" else None
        if self._leaf in ("", PROSE) and _PLAIN_ITEM.match(line):
            self._containers, self._empty_item, self._leaf = [2], False, PROSE
            return _NEW_TEXT
        if self._containers or self._leaf not in ("", PROSE):
            return None
        if line[:1].isalpha():
            continues, self._leaf = self._leaf is PROSE, PROSE
            return _MORE_TEXT if continues else _NEW_TEXT
        if not line:
            self._leaf = ""
            return _NEW_TEXT
        return None

    def _carefully(self, line: str) -> _Read:
        row = line.replace("\r", " ").expandtabs(4)
        column, depth = self._inside(row)
        if depth == len(self._containers) and self._leaf not in ("", PROSE):
            return self._within(row, column)
        if self._leaf is not PROSE:
            self._close(depth)
        return self._begin(row, column, depth)

    def _inside(self, row: str) -> tuple[int, int]:
        """(column after their markers, number) of the open containers that a line belongs to."""
        column = 0
        for depth, width in enumerate(self._containers):
            start = _text_start(row, column)
            is_blank = start == len(row)
            if width == _QUOTE_WIDTH:
                if start - column > 3 or not row.startswith(">", start):
                    return column, depth
                column = start + 2 if row.startswith(" ", start + 1) else start + 1
            elif is_blank:
                if self._empty_item and depth == len(self._containers) - 1:
                    return column, depth
            elif start - column >= width:
                column += width
            else:
                return column, depth
        return column, len(self._containers)

    def _within(self, row: str, column: int) -> _Read:
        """Read a line inside the open fenced code or HTML."""
        kind, start = self._leaf, _text_start(row, column)
        if kind is FENCE:
            mark = fence(row[start:]) if start - column < 4 else None
            if mark and mark.closes(self._fence):
                self._leaf = ""
        elif self._html.end is None:
            if start == len(row):
                self._leaf = ""
                return self._seen(PROSE)
        elif self._html.end.search(row, column):
            self._leaf = ""
        return self._seen(kind, continues=True)

    def _begin(self, row: str, column: int, depth: int) -> _Read:
        """Read a line outside code and HTML: open the containers that begin on it, then the leaf in them."""
        while True:
            start = _text_start(row, column)
            if start == len(row):
                self._close(depth)
                return self._seen(PROSE)
            if start - column > 3:
                return self._indented(depth)
            if len(self._containers) >= _MAX_DEPTH:
                return self._text(depth)
            width = self._container_width(row, column, start, depth)
            if width is None:
                return self._leaf_at(row, start, depth)
            self._close(depth)
            self._containers.append(width)
            depth += 1
            if width == _QUOTE_WIDTH:
                column = start + 2 if row.startswith(" ", start + 1) else start + 1
            else:
                column += width
                self._empty_item = _text_start(row, column) >= len(row)

    def _container_width(self, row: str, column: int, start: int, depth: int) -> int | None:
        """The width of the container that begins at `start`, None if none does."""
        if row[start] == ">":
            return _QUOTE_WIDTH
        item = _ITEM.match(row, start)
        if item is None or _RULE.match(row, start) or self._is_underline(row, start, depth):
            return None
        is_blank = item.end() == len(row)
        in_paragraph = self._leaf is PROSE and depth == len(self._containers)
        if in_paragraph and (is_blank or int(item["number"] or 1) != 1):
            return None
        gap = len(item["gap"])
        is_far = is_blank or gap > 4  # text after five spaces is indented code within the item
        return item.end() - column - gap + 1 if is_far else item.end() - column

    def _leaf_at(self, row: str, start: int, depth: int) -> _Read:
        """The leaf that begins at `start`, which is indented by less than four columns."""
        if row[start] in "`~" and (mark := fence(row[start:])):
            self._open(FENCE, depth)
            self._fence = mark
            return self._seen(FENCE)
        if row[start] in "<%" and (block := self._html_block(row, start)):
            return self._html_start(block, row, start, depth)
        if self._is_underline(row, start, depth):
            self._leaf = ""
            return self._seen(HEADING, 1 if row[start] == "=" else 2, continues=True)
        single = self._single(row, start)
        if single is None:
            return self._text(depth)
        self._open("", depth)
        return self._seen(*single)

    def _single(self, row: str, start: int) -> tuple[str, int] | None:
        """Kind and level of a leaf of one line (an ATX heading, a rule, a definition); None for other lines."""
        if heading := _ATX.match(row, start):
            return HEADING, len(heading["marks"])
        if _RULE.match(row, start):
            return RULE, 0
        is_definition = self._leaf is not PROSE and _DEFINITION.match(row, start)
        return (PROSE, 0) if is_definition else None

    def _is_underline(self, row: str, start: int, depth: int) -> bool:
        in_paragraph = self._leaf is PROSE and depth == len(self._containers)
        return in_paragraph and bool(_UNDERLINE.match(row, start))

    def _html_block(self, row: str, start: int) -> _HtmlBlock | None:
        """The block that begins at `start`, if any; a single tag cannot interrupt a paragraph."""
        if row[start] == "<":
            block = next((one for one in _CONDITIONS if one.start.match(row, start)), None)
            return None if block is _SINGLE_TAG and self._leaf is PROSE else block
        text = row[start:]
        inner = text.strip()[2:]
        is_whole = inner.find("%%") == len(inner) - 2 if "%%" in inner else self._comment_marks > 0
        return _OBSIDIAN_COMMENT if text.startswith("%%") and is_whole and not self._containers else None

    def _html_start(self, block: _HtmlBlock, row: str, start: int, depth: int) -> _Read:
        is_obsidian = block is _OBSIDIAN_COMMENT
        kind = COMMENT if is_obsidian or block is _COMMENT_BLOCK else HTML
        self._open(kind, depth)
        self._html = block
        if block.end and block.end.search(row, start + 2 if is_obsidian else start):
            self._leaf = ""
        return self._seen(kind)

    def _indented(self, depth: int) -> _Read:
        """Read a line indented by at least four columns: code, unless it continues a paragraph."""
        if self._leaf is PROSE:
            return self._text(depth)
        self._empty_item = False
        return self._seen(INDENTED)

    def _text(self, depth: int) -> _Read:
        """Read a line of a paragraph; a continuation need not repeat its containers' marks (section 5.1)."""
        continues = self._leaf is PROSE
        if not continues:
            self._open(PROSE, depth)
        return self._seen(PROSE, continues=continues)

    def _open(self, leaf: str, depth: int) -> None:
        self._close(depth)
        self._empty_item = False
        self._leaf = leaf

    def _close(self, depth: int) -> None:
        """Close the leaf, and the containers from `depth` on."""
        if depth < len(self._containers):
            del self._containers[depth:]
            self._empty_item = False
        self._leaf = ""

    def _seen(self, kind: str, level: int = 0, continues: bool = False) -> _Read:
        if self._containers and kind in (PROSE, HEADING, RULE):
            is_quoted = _QUOTE_WIDTH in self._containers
            kind = QUOTE if is_quoted else PROSE if kind is HEADING else kind
            level = 0
        return kind, level, continues


def _text_start(row: str, column: int) -> int:
    """The column of the first character from `column` on that is not a space."""
    match = _SPACES.match(row, column)
    return match.end() if match else len(row)
