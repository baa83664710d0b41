"""The three-way merge of a text line by line, for files of unknown structure and for damaged notes."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.order import Three


class MergedLines(NamedTuple):
    """A merged text, and its conflicts, which are in the text between markers."""

    text: str
    conflicts: tuple[MergeConflict, ...]


def merge_lines(texts: Three[str]) -> MergedLines:
    """Merge texts with `\\n` line ends; lines that both sides changed, or changed side by side, conflict."""
    rows = texts.each(lambda text: text.split("\n"))
    merged: list[str] = []
    conflicts: list[MergeConflict] = []
    for old, left, right in _passages(rows):
        if left in (right, old):
            merged += right
        elif right == old:
            merged += left
        else:
            conflicts.append(MergeConflict("", _text(left), _text(right)))
            merged.append(conflict.render(conflicts[-1]).removesuffix("\n"))
    return MergedLines("\n".join(merged), tuple(conflicts))


def _passages(rows: Three[list[str]]) -> Iterator[Three[list[str]]]:
    """The three texts cut into corresponding passages: the same in all three, or changed by one or both sides."""
    left, right = (_matches(rows.base, side) for side in (rows.ours, rows.theirs))
    stable = [Three(at, left[at], right[at]) for at in range(len(rows.base)) if at in left and at in right]
    done = Three(0, 0, 0)
    for places in [*stable, rows.each(len)]:
        yield _cut(rows, done, places)
        done = places.each(lambda place: place + 1)
        yield _cut(rows, places, done)


def _matches(base: list[str], side: list[str]) -> dict[int, int]:
    """line number in the base -> line number in a side, for the lines that both have."""
    matcher = SequenceMatcher(None, base, side, autojunk=len(base) > 2_000)
    return {
        match.a + step: match.b + step for match in matcher.get_matching_blocks() for step in range(match.size)
    }


def _cut(rows: Three[list[str]], starts: Three[int], ends: Three[int]) -> Three[list[str]]:
    return Three(*(text[start:end] for text, start, end in zip(rows, starts, ends, strict=True)))


def _text(rows: list[str]) -> str:
    return "".join(row + "\n" for row in rows)
