"""Whether a note says something of its own, and whether names set two notes apart: what a merge must respect."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from mdmem.garden.gardeners.note import Note
from mdmem.language import likeness as wording
from mdmem.note import blocks, dates

_LINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]|!?\[[^\[\]\n]*\]\([^()\n]*\)")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->", re.S)
_QUERY = re.compile(
    r"^(?P<fence>```+|~~~+)(?:base|dataview|dataviewjs|tasks|query)\b.*?^(?P=fence)\s*$", re.M | re.S
)
_DATE = r"(?:19|20)\d\d(?:[-_. ]?(?:[01]\d(?:[-_. ]?[0-3]\d)?|[qw]\d{1,2}))?"
_VERSION = r"(?:v?\d+(?:\.\d+)+|v\d+(?:_\d+)*|\d+_\d+_\d+)(?:-?(?:alpha|beta|rc)[.\d]*)?"
_MARK = re.compile(rf"(?<![^\W_])(?:{_DATE}|{_VERSION})(?![^\W_])")


def says_something(note: Note, boilerplate: Collection[str]) -> bool:
    """Whether a note has words of its own besides headings, links, embeds, queries and lines of templates."""
    body = _QUERY.sub("", _COMMENT.sub("", note.body))
    headings = {line for heading in blocks.headings(body) for line in range(heading.line, heading.end + 1)}
    lines = (line for number, line in enumerate(body.split("\n"), 1) if number not in headings)
    own = "\n".join(_LINK.sub("", line) for line in lines if line.strip() not in boilerplate)
    return bool(wording.telling(own))


def are_set_apart(one: str, two: str) -> bool:
    """Whether two names both contain dates or versions, and not the same ones."""
    first, second = set(_marks(one)), set(_marks(two))
    return bool(first and second) and first != second


def _marks(name: str) -> Iterator[object]:
    lower = name.lower()
    yield from (re.sub(r"[-_ ]", ".", found[0].removeprefix("v")) for found in _MARK.finditer(lower))
    rest = _MARK.sub(" ", lower).replace("_", " ")
    yield from (window for window in dates.windows(rest) if window.month)
