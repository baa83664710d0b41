"""Links between notes: where they are in a text, what they point to, and how to point them elsewhere.

Wikilinks (`[[a]]`, `[[sub/a#b|c]]`, `[[a\\|c]]` in tables, `![[a]]`), Markdown links (`[x](a.md "title")`,
`[x](<a b.md>)`) and reference definitions (`[x]: a.md`), in the text and in quoted properties. Nothing in code
(fenced or indented blocks, also in quotes and lists, and spans between backticks), in a comment or in an HTML
block is a link.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from mdmem.note import patterns

_CODE_MARKS = ("`", "~~~", "<", "%%")
_INDENTED = patterns.late(r"(?m)^[-+*>\d.) ]*(?:\t| {4})")
_TABLE_ROW = patterns.late(r"[ >]*\|")
_SPAN_MARK = patterns.late(r"\\?`+|<!--|-->")

_TARGET = r"[^\[\]|#\n\\]*+(?:\\(?!\|)[^\[\]|#\n\\]*+)*+"  # up to the `\|` of a table, too
_WIKILINK = patterns.late(rf"\[\[(?P<target>{_TARGET})(?=(?:#[^\[\]|\n]*)?(?:\\?\|[^\[\]\n]*)?\]\])")
_ONE_WIKILINK = patterns.late(r"!?\[\[(?P<target>[^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_WHOLE_WIKILINK = patterns.late(r"\[\[([^\[\]|\n]*)\|?([^\[\]\n]*)\]\]")
_ADDRESS = r"(?:<(?P<angle>[^<>\n]+)>|(?P<bare>(?=[^\s<)])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))"
_INLINE = patterns.late(
    r"\]\([ \t]*" + _ADDRESS + r"(?=(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\))"
)
_REFERENCE = patterns.late(r"(?m)^[ \t>]*\[(?!\^)[^\[\]\n]+\]:[ \t]+" + _ADDRESS + r"(?=[ \t]*$|[ \t]+[\"'(])")
_ELSEWHERE = patterns.late(r"(?i)[a-z][a-z0-9+.-]*:|//|#|$")
_ANCHOR_OR_QUERY, _IN_LINE = patterns.late(r"[#?]"), patterns.late(r"[^\n]")
_UNSAFE = patterns.late(r"[\s()<>\"%#?]")


class Link(NamedTuple):
    """A link to a note. `target` is as written, without anchor and `.md`; `line` is 1-based."""

    target: str
    line: int


class LinkPlace(NamedTuple):
    """The place of a link's target in a text: `start`..`end`, without its anchor.

    `target` is the target with percent-encoding decoded; `form` is "wiki", "angle" (`<a b.md>`) or "bare".
    """

    start: int
    end: int
    target: str
    form: str

    @property
    def wiki(self) -> bool:
        return self.form == "wiki"


def places(text: str) -> list[LinkPlace]:
    """Every link outside code that stays in the vault, in order. Web addresses and bare anchors are skipped."""
    if "[[" not in text and "](" not in text and "]:" not in text:
        return []
    return [*_places(text)]


@lru_cache(4)
def _places(text: str) -> tuple[LinkPlace, ...]:
    """The links of a text; several readers of one note ask for them in turn."""
    bare = without_code(text)
    found = [_name(match) for match in _WIKILINK.finditer(bare) if match["target"].strip()]
    for sign, pattern in (("](", _INLINE), ("]:", _REFERENCE)):
        matches = pattern.finditer(bare) if sign in bare else ()
        found += [place for match in matches if (place := _address(match)) is not None]
    return tuple(sorted(found))


def apart(text: str) -> tuple[str, str]:
    """(the text without the targets of its wikilinks, those targets); an alias stays in the text."""
    if "[[" not in text:
        return text, ""
    targets = " ".join(target for target, _ in _WHOLE_WIKILINK.findall(text))
    return _WHOLE_WIKILINK.sub(r"\2", text), targets


def to_notes(text: str) -> Iterator[Link]:
    """The wikilinks of a text, and its other links to `.md` files."""
    line, at = 1, 0
    for place in places(text):
        line, at = line + text.count("\n", at, place.start), place.start
        if place.wiki or place.target.endswith(".md"):
            yield Link(place.target.removesuffix(".md"), line)


def wikilink_target(text: str) -> str:
    """The target of a value that is one wikilink (`[[a_b|A b]]` -> `a_b`), else ""."""
    match = _ONE_WIKILINK.fullmatch(text.strip())
    return match["target"].strip().removesuffix(".md") if match else ""


def replace(text: str, rename: Callable[[LinkPlace], str | None]) -> str:
    """`text` with link targets renamed; everything else, code included, is unchanged.

    `rename(place)` returns the new target, or None to leave the link alone.
    """
    parts, at = [], 0
    for place in places(text):
        new = rename(place)
        if new is not None and new != place.target:
            parts += [text[at : place.start], _written(new, place, text[place.start : place.end])]
            at = place.end
    return "".join([*parts, text[at:]])


def _name(match: re.Match[str]) -> LinkPlace:
    name = match["target"].strip()
    start = match.start("target") + match["target"].index(name)
    return LinkPlace(start, start + len(name), name, "wiki")


def _address(match: re.Match[str]) -> LinkPlace | None:
    form = "angle" if match["angle"] is not None else "bare"
    written = match[form]
    if _ELSEWHERE.match(written):
        return None
    path = _ANCHOR_OR_QUERY.split(written, maxsplit=1)[0]
    return LinkPlace(match.start(form), match.start(form) + len(path), _decoded(path), form) if path else None


def _decoded(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote

    return unquote(path)


def _written(target: str, place: LinkPlace, before: str) -> str:
    """A target as its form requires; non-ASCII letters are percent-encoded only if they were so before."""
    from urllib.parse import quote

    if place.form != "bare":
        return target
    if before != place.target and before == quote(place.target):
        return quote(target)
    return _UNSAFE.sub(lambda sign: quote(sign[0]), target)


# -- code --------------------------------------------------------------------------------------------------


def without_code(text: str) -> str:
    """`text` with code, comments and HTML replaced by blanks, so that every other character keeps its offset."""
    if not _may_hold_code(text):
        return text
    parts: list[str] = []
    paragraph: list[str] = []  # lines that a code span can reach across
    from mdmem.note import blocks

    hidden = blocks.UNREAD | {blocks.HTML}
    for line in blocks.lines(text):
        is_hidden = line.kind in hidden
        if paragraph and (is_hidden or not line.continues or _TABLE_ROW.match(line.text)):
            parts.append(_without_spans("\n".join(paragraph)))
            paragraph = []
        if is_hidden:
            parts.append(" " * len(line.text))
        else:
            paragraph.append(line.text)
    if paragraph:
        parts.append(_without_spans("\n".join(paragraph)))
    return "\n".join(parts)


def _may_hold_code(text: str) -> bool:
    if any(mark in text for mark in _CODE_MARKS):
        return True
    return ("\t" in text or "    " in text) and bool(_INDENTED.search(text))


def _without_spans(paragraph: str) -> str:
    """A paragraph with its code spans and inline comments blanked out, in linear time.

    If they overlap, the one that begins first counts (CommonMark sections 6.1 and 6.6).
    """
    if "`" not in paragraph and "<!--" not in paragraph:
        return paragraph
    marks = list(_SPAN_MARK.finditer(paragraph))
    ends = _span_ends(marks)
    parts, at = [], 0
    for mark, end in zip(marks, ends, strict=True):
        if end and mark.start() >= at:
            parts += [paragraph[at : mark.start()], _IN_LINE.sub(" ", paragraph[mark.start() : end])]
            at = end
    return "".join([*parts, paragraph[at:]])


def _span_ends(marks: list[re.Match[str]]) -> list[int]:
    """For each mark the end of the span that it would open, 0 if it opens none."""
    ends = [0] * len(marks)
    next_end: dict[str, int] = {}  # mark -> the end of the next one like it
    for index in range(len(marks) - 1, -1, -1):
        mark = marks[index][0]
        if mark == "<!--":
            ends[index] = next_end.get("-->", 0)
        elif mark != "-->":
            ticks = mark.removeprefix("\\")
            ends[index] = 0 if mark != ticks else next_end.get(ticks, 0)
            mark = ticks
        next_end[mark] = marks[index].end()
    return ends


def in_obsidian(path: str) -> str:
    """The address that opens a file (absolute path) in Obsidian."""
    from urllib.parse import quote

    return f"obsidian://open?path={quote(path, safe='')}"
