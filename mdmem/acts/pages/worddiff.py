"""The difference between two texts, word by word."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

SAME, ADDED, REMOVED, GAP = KINDS = ("same", "added", "removed", "gap")
_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_AROUND = 120  # characters of context before and after a change
_MOST = 4000  # lines of two texts, or words of one stretch, that are compared; longer ones count as rewritten


class DiffPart(NamedTuple):
    """A piece of a difference: its kind, one of KINDS, and its text. GAP stands for unchanged text left out."""

    kind: str
    text: str


def compare(before: str, after: str) -> list[DiffPart]:
    """The parts of the difference, in order: lines are matched first, then words within the lines that differ."""
    parts: list[DiffPart] = []
    for is_same, was, now in _matched(before.splitlines(keepends=True), after.splitlines(keepends=True)):
        parts += [DiffPart(SAME, was)] if is_same else _words(was, now)
    return list(_shortened(parts))


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[bool, str, str]]:
    """(whether both are the same, old text, new text) for each stretch of two texts.

    In long texts, difflib's `autojunk` keeps frequent lines or words from being matched on their own: that would
    take at least quadratic time.
    """
    if len(old) + len(new) > _MOST:
        yield False, "".join(old), "".join(new)
        return
    for tag, start, end, first, last in SequenceMatcher(None, old, new).get_opcodes():
        yield tag == "equal", "".join(old[start:end]), "".join(new[first:last])


def _words(before: str, after: str) -> Iterator[DiffPart]:
    for is_same, was, now in _matched(_WORD.findall(before), _WORD.findall(after)):
        if is_same:
            yield DiffPart(SAME, was)
            continue
        if was:
            yield DiffPart(REMOVED, was)
        if now:
            yield DiffPart(ADDED, now)


def _shortened(parts: Sequence[DiffPart]) -> Iterator[DiffPart]:
    """The parts, with unchanged text cut to the context of the changes."""
    last = len(parts) - 1
    for place, part in enumerate(parts):
        head = _AROUND if place > 0 else 0
        tail = _AROUND if place < last else 0
        if part.kind != SAME or len(part.text) <= head + tail:
            yield part
            continue
        if head:
            yield DiffPart(SAME, part.text[:head].rpartition("\n")[0] or part.text[:head])
        yield DiffPart(GAP, "")
        if tail:
            yield DiffPart(SAME, part.text[-tail:].partition("\n")[2] or part.text[-tail:])
