"""Links between notes: where they stand in a text, what they point to, and how to point them elsewhere.

Wikilinks (`[[a]]`, `[[sub/a#b|c]]`, `[[a\\|c]]` in tables, `![[a]]`), Markdown links (`[x](a.md "title")`,
`[x](<a b.md>)`) and reference definitions (`[x]: a.md`), in the text and in quoted properties. What stands in
code is no link: fenced or indented blocks, also in quotes and lists, and spans between backticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_QUOTE = re.compile(r"(?:(?: {0,3}>)+ ?)?")
_FENCE = re.compile(r"(?P<indent> *)(?:(?:[-*+]|\d{1,9}[.)]) +)*(?P<ticks>`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_BLOCK_START = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)|[ \t>]*$")
_TICKS = re.compile(r"`+")

_WIKILINK = re.compile(r"\[\[(?P<target>[^\[\]|#\n]*?)(?=(?:#[^\[\]|\n]*)?(?:\\?\|[^\[\]\n]*)?\]\])")
_ONE_WIKILINK = re.compile(r"!?\[\[(?P<target>[^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_ANY_WIKILINK = re.compile(r"\[\[(?P<target>[^\[\]|\n]*)(?:\|(?P<alias>[^\[\]\n]*))?\]\]")
_ADDRESS = r"(?:<(?P<angle>[^<>\n]+)>|(?P<bare>(?=[^\s<)])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))"
_INLINE = re.compile(r"\]\([ \t]*" + _ADDRESS + r"(?=(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\))")
_REFERENCE = re.compile(r"(?m)^[ \t>]*\[(?!\^)[^\[\]\n]+\]:[ \t]+" + _ADDRESS + r"(?=[ \t]*$|[ \t]+[\"'(])")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#|$", re.IGNORECASE)
_UNSAFE = re.compile(r"[\s()<>\"%#?]")


class Link(NamedTuple):
    """A link to a note. `target` is as written, without anchor and `.md`; `line` is 1-based."""

    target: str
    line: int


class LinkPlace(NamedTuple):
    """Where a link's target stands in a text: `start`..`end`, without its anchor.

    `target` is what it says, percent signs resolved; `form` is "wiki", "angle" (`<a b.md>`) or "bare".
    """

    start: int
    end: int
    target: str
    form: str

    @property
    def wiki(self) -> bool:
        return self.form == "wiki"


def places(text: str) -> list[LinkPlace]:
    """Every link outside code that stays in the vault, in order. Web addresses and bare anchors are left out."""
    if "[[" not in text and "](" not in text and "]:" not in text:
        return []
    bare = _without_code(text)
    found = [_name(match) for match in _WIKILINK.finditer(bare) if match["target"].strip()]
    for pattern in (_INLINE, _REFERENCE):
        found += [place for match in pattern.finditer(bare) if (place := _address(match)) is not None]
    return sorted(found)


def apart(text: str) -> tuple[str, str]:
    """(the text without what its wikilinks point to, what they point to); an alias belongs to the text."""
    if "[[" not in text:
        return text, ""
    targets = [match["target"] for match in _ANY_WIKILINK.finditer(text)]
    return _ANY_WIKILINK.sub(lambda match: match["alias"] or "", text), " ".join(targets)


def to_notes(text: str) -> Iterator[Link]:
    """Wikilinks, and the other links to `.md` files."""
    line, at = 1, 0
    for place in places(text):
        line, at = line + text.count("\n", at, place.start), place.start
        if place.wiki or place.target.endswith(".md"):
            yield Link(place.target.removesuffix(".md"), line)


def wikilink_target(text: str) -> str:
    """The target of a value that is one wikilink (`[[a_b|A b]]` -> `a_b`), or ""."""
    match = _ONE_WIKILINK.fullmatch(text.strip())
    return match["target"].strip().removesuffix(".md") if match else ""


def replace(text: str, rename: Callable[[LinkPlace], str | None]) -> str:
    """`text` with link targets renamed; everything else, code included, keeps its characters.

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
    path = re.split(r"[#?]", written, maxsplit=1)[0]
    return LinkPlace(match.start(form), match.start(form) + len(path), _decoded(path), form) if path else None


def _decoded(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote

    return unquote(path)


def _written(target: str, place: LinkPlace, before: str) -> str:
    """A target as its form wants it; other than ASCII letters are only encoded where they were before."""
    from urllib.parse import quote

    if place.form != "bare":
        return target
    if before != place.target and before == quote(place.target):
        return quote(target)
    return _UNSAFE.sub(lambda sign: quote(sign[0]), target)


# -- code --------------------------------------------------------------------------------------------------


def _without_code(text: str) -> str:
    """`text` with blanks for the characters of code, so that every other one keeps its place."""
    if not re.search(r"`|~~~|^[ >]*(?:\t| {4})", text, re.M):
        return text
    lines = text.split("\n")
    for number in _code_lines(lines):
        lines[number] = " " * len(lines[number])
    return "".join(_without_spans(block) for block in _blocks(lines))


def _code_lines(lines: list[str]) -> Iterator[int]:
    """The numbers (from 0) of the lines of fenced and indented code."""
    fence, depth = "", 0  # the signs that opened a fence, and how many quotes it is in
    in_list = after_text = False
    for number, line in enumerate(lines):
        quotes = rf"(?: {{0,3}}>){{{depth}}} ?" if depth else ""
        if fence and (inner := re.match(rf"{quotes}(.*)", line)):
            yield number
            if inner[1].strip().startswith(fence) and not inner[1].strip().strip(fence[0]):
                fence = ""
            continue
        rest = _QUOTE.sub("", line, count=1)
        opening = _FENCE.match(rest)
        fence = opening["ticks"] if opening and (in_list or len(opening["indent"]) < 4) else ""
        if fence:
            depth, after_text = line[: len(line) - len(rest)].count(">"), False
            in_list = in_list or bool(_ITEM.match(rest))
            yield number
        elif rest.strip() and rest.startswith(("    ", "\t")) and not (in_list or after_text):
            yield number
        else:
            item = bool(_ITEM.match(rest))
            in_list = item or (in_list and (after_text or not rest.strip() or rest[0] in " \t"))
            after_text = bool(rest.strip()) and not rest.startswith("#")


def _blocks(lines: list[str]) -> Iterator[str]:
    """The text in pieces that a code span cannot reach across: paragraphs, list items, table rows."""
    start = 0
    for number in range(1, len(lines)):
        if _BLOCK_START.match(lines[number]):
            yield "\n".join(lines[start:number]) + "\n"
            start = number
    yield "\n".join(lines[start:])


def _without_spans(block: str) -> str:
    """A block with its code spans blanked out. Linear, whatever the backticks."""
    if "`" not in block:
        return block
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(block)]
    closing: dict[int, int] = {}  # index of a run -> index of the next run of the same length
    latest: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        closing[index] = latest.get(length, -1)
        latest[length] = index
    parts, at, index = [], 0, 0
    while index < len(runs):
        start, last = runs[index][0], closing[index]
        if last < 0 or block[start - 1 : start] == "\\":
            index += 1
            continue
        end = runs[last][1]
        parts += [block[at:start], re.sub(r"[^\n]", " ", block[start:end])]
        at, index = end, last + 1
    return "".join([*parts, block[at:]])
