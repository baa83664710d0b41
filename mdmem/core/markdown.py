"""What a note's Markdown says: headings and links. Line by line, skipping code.

`structure` (sections as data) is in `core.structure`; it needs a full Markdown parser, this does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*)$")
_TICKS = re.compile(r"`+")
_WIKILINK = re.compile(
    r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#\n]*)(?P<anchor>#[^\[\]|\n]*)?(?P<alias>\|[^\[\]\n]*)?\]\]"
)
_MDLINK = re.compile(r"(?P<label>!?\[[^\[\]\n]*\])\((?P<target><[^<>\n]+>|[^()\s]+\.md)(?P<anchor>#[^()\s]*)?\)")
_DEPRECATED = re.compile(r"[\s>]*(?:\[!\w+\][-+]?\s*)?[*_]*DEPRECATED:")  # in a callout, too
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Heading(NamedTuple):
    """`line` is 1-based within the text given."""

    level: int
    text: str
    line: int


class Link(NamedTuple):
    """A link to a note. `target` is as written, without anchor and `.md`; `line` is 1-based."""

    target: str
    line: int


def prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """(1-based number, line) of each line outside fenced code."""
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


def headings(text: str) -> Iterator[Heading]:
    """The `#` headings outside code."""
    if "#" not in text:
        return
    for number, line in prose_lines(text):
        match = _HEADING.match(line)
        if match and (title := heading_text(match[2])):
            yield Heading(len(match[1]), title, number)


def heading_text(text: str) -> str:
    """A heading's text without a closing run of `#` (`Title ##` -> `Title`)."""
    text = text.strip()
    open_end = text.rstrip("#")
    return open_end.rstrip() if open_end != text and open_end[-1:] in ("", " ", "\t") else text


def links(text: str) -> Iterator[Link]:
    """Wikilinks and Markdown links to `.md` files, outside code; web addresses are left out."""
    if "[[" not in text and "](" not in text:
        return
    for number, line in prose_lines(text):
        if "[" not in line:
            continue
        bare = "".join(text for text, is_code in _split_code(line) if not is_code)
        for match in _WIKILINK.finditer(bare):
            if match["target"].strip():
                yield Link(match["target"].strip().removesuffix(".md"), number)
        for match in _MDLINK.finditer(bare):
            target = match["target"].strip("<>")
            if target.endswith(".md") and not _SCHEME.match(target):
                yield Link(unquote(target).removesuffix(".md"), number)


def is_deprecated(text: str) -> bool:
    """Whether a line outside code begins with `DEPRECATED:`, as the legacy protocol marks a superseded memory."""
    return "DEPRECATED:" in text and any(_DEPRECATED.match(line) for _, line in prose_lines(text))


def wikilink_target(text: str) -> str:
    """The target of a value that is one wikilink (`[[a_b|A b]]` -> `a_b`), or ""."""
    match = _WIKILINK.fullmatch(text.strip())
    return match["target"].strip().removesuffix(".md") if match else ""


Rename = Callable[[str, bool], str | None]


def replace_links(text: str, rename: Rename) -> str:
    """`text` with link targets renamed; everything else, code included, keeps its characters.

    `rename(target, wiki)` gets a target without `.md`, and whether it stands in a wikilink; it returns the new
    target, or None to leave the link alone.
    """
    if "[[" not in text and "](" not in text:
        return text
    outside = {number for number, _ in prose_lines(text)}
    lines = text.split("\n")
    for number in outside:
        if "[" in lines[number - 1]:
            lines[number - 1] = _replace_in_line(lines[number - 1], rename)
    return "\n".join(lines)


def _replace_in_line(line: str, rename: Rename) -> str:
    def wiki(match: re.Match[str]) -> str:
        target = match["target"].strip()
        new = rename(target.removesuffix(".md"), True)
        if new is None:
            return match[0]
        suffix = ".md" if target.endswith(".md") else ""
        return f"{match['embed']}[[{new}{suffix}{match['anchor'] or ''}{match['alias'] or ''}]]"

    def inline(match: re.Match[str]) -> str:
        target = match["target"].strip("<>")
        new = rename(unquote(target).removesuffix(".md"), False) if not _SCHEME.match(target) else None
        if new is None:
            return match[0]
        address = f"<{new}.md>" if match["target"].startswith("<") else quote(new) + ".md"
        return f"{match['label']}({address}{match['anchor'] or ''})"

    def prose(part: str) -> str:
        return _MDLINK.sub(inline, _WIKILINK.sub(wiki, part))

    return "".join(text if is_code else prose(text) for text, is_code in _split_code(line))


def _split_code(line: str) -> Iterator[tuple[str, bool]]:
    """The line cut into (text, whether it is a code span), in order. Linear, whatever the backticks."""
    if "`" not in line:
        yield line, False
        return
    ticks = list(_TICKS.finditer(line))
    closing: dict[int, int] = {}  # index of a run -> index of the next run of the same length
    latest: dict[int, int] = {}
    for index in range(len(ticks) - 1, -1, -1):
        length = len(ticks[index][0])
        closing[index] = latest.get(length, -1)
        latest[length] = index
    at, index = 0, 0
    while index < len(ticks):
        end = closing[index]
        if end < 0:
            index += 1
            continue
        yield line[at : ticks[index].start()], False
        yield line[ticks[index].start() : ticks[end].end()], True
        at, index = ticks[end].end(), end + 1
    yield line[at:], False
