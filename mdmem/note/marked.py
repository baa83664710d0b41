"""What mdmem writes into a file of somebody else: it stands between marks, and everything around it stays."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

_BEGIN, _END = "<!-- mdmem:memories {} -->", "<!-- mdmem:memories end -->"
_MARKED = re.compile(rf"{_BEGIN.format('([0-9a-f]{12})')}\r?\n(.*?){_END}(?:\r?\n|\Z)", re.S)
_ANY = re.compile(r"<!-- mdmem:memories\b")


class Marked(NamedTuple):
    """A text with its marked lines taken out: `before` and `after` them, and `inner`, None if there are none.

    `line` is that of the first mark; `is_whole` says that the marks are one pair, with what was written between.
    """

    before: str
    inner: str | None
    after: str = ""
    line: int = 0
    is_whole: bool = True


def split(text: str) -> Marked:
    """Find the marked lines of a text."""
    first = _ANY.search(text)
    if first is None:
        return Marked(text, None)
    line = text.count("\n", 0, first.start()) + 1
    found = _MARKED.search(text)
    if found is None or len(_ANY.findall(text)) != 2:
        return Marked(text, "", line=line, is_whole=False)
    before, after = text[: found.start()], text[found.end() :]
    return Marked(before, found[2], after, line, found[1] == _seal(found[2]))


def around(text: str) -> str:
    """A text without its marked lines."""
    found = split(text)
    return found.before + found.after


def joined(found: Marked, inner: str) -> str:
    """The text with other marked lines; they come last where there were none."""
    gap = "" if found.inner is not None or not found.before.strip() else "\n" * (2 - found.before.endswith("\n"))
    lines = f"{gap}{_BEGIN.format(_seal(inner))}\n{inner}{_END}\n"
    is_windows = "\r\n" in found.before + found.after
    return found.before + (lines.replace("\n", "\r\n") if is_windows else lines) + found.after


def _seal(inner: str) -> str:
    return sha256(inner.replace("\r\n", "\n").encode()).hexdigest()[:12]
