"""Three-way merges of sequences: items of a list, names of properties, sections of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any, Generic, NamedTuple, TypeVar

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MergeConflict

Thing = TypeVar("Thing")
Part = TypeVar("Part")
Name = TypeVar("Name", bound=Hashable)


class Three(NamedTuple, Generic[Thing]):
    """The three versions in a merge: the common base and both sides."""

    base: Thing
    ours: Thing
    theirs: Thing

    def each(self, part: Callable[[Thing], Part]) -> Three[Part]:
        """The three results of applying a function to each version."""
        return Three(part(self.base), part(self.ours), part(self.theirs))


def greater(ours: Any, theirs: Any) -> Any:
    """The greater of two versions, so that it makes no difference which side is named first."""
    return max(ours, theirs)


def pick(versions: Three[Thing], both: Callable[[Thing, Thing], Thing] = greater) -> Thing:
    """The version that changed; if both did, and differently, the result of `both(ours, theirs)`."""
    base, ours, theirs = versions
    if ours in (theirs, base):
        return theirs
    return ours if theirs == base else both(ours, theirs)


def merge_order(versions: Three[list[Name]], rank: Callable[[Name], Any]) -> list[Name]:
    """All names of three sequences, each once: known ones in the order a side moved them to, new ones in place.

    If both sides have a new name at the same spot, the one of lower `rank` comes first, as far as the order within
    each side allows.
    """
    known = set(versions.base)
    orders = [_reordered(versions.base, side) for side in (versions.ours, versions.theirs)]
    moved = [order for order in orders if order != versions.base]  # if both did, the one whose text is greater
    slots = [None, *(max(moved, key=repr) if moved else versions.base)]
    new = [_additions(side, known) for side in (versions.ours, versions.theirs)]
    merged: dict[Name, None] = {}
    for slot in slots:
        if slot is not None:
            merged[slot] = None
        added = interleave(new[0].get(slot, []), new[1].get(slot, []), rank)
        merged.update(dict.fromkeys(added))
    return list(merged)


def interleave(ours: Iterable[Thing], theirs: Iterable[Thing], rank: Callable[[Thing], Any]) -> list[Thing]:
    """Both sequences as one that keeps the order of each; of two first elements, the one of lower `rank` is next.

    Elements with the same rank are merged into one. It makes no difference which sequence is named first, or which
    two of three sequences are joined first.
    """
    left, right = list(ours), list(theirs)
    merged = []
    while left and right:
        if rank(right[0]) < rank(left[0]):
            left, right = right, left
        first = left.pop(0)
        same = [other for other in right if rank(other) == rank(first)]
        if same:
            right.remove(same[0])
        merged.append(max(first, *same[:1], key=repr) if same else first)
    return merged + left + right


def _reordered(base: Sequence[Name], side: Sequence[Name]) -> list[Name]:
    """The names of `base` in the order of a side; names that the side lacks stay behind their predecessor."""
    present, known = set(side), set(base)
    left = [name for name in side if name in known]
    if left == [name for name in base if name in present]:
        return list(base)
    for at, name in enumerate(base):
        if name not in present:
            left.insert(left.index(base[at - 1]) + 1 if at else 0, name)
    return left


def _additions(side: Sequence[Name], known: set[Name]) -> dict[Name | None, list[Name]]:
    """The new names of a side, keyed by the known name that they follow (None: at the beginning)."""
    slot: Name | None = None
    added: dict[Name | None, list[Name]] = {}
    for name in side:
        if name in known:
            slot = name
        else:
            added.setdefault(slot, []).append(name)
    return added


def merge_lines(
    texts: Three[str], sides: tuple[str, str] = conflict.SIDES
) -> tuple[str, tuple[MergeConflict, ...]]:
    """(merged text, conflicts in it) of texts with `\n` line ends; `sides` are what the markers call both.

    Lines that both sides changed, or changed side by side, conflict.
    """
    rows = texts.each(lambda text: text.split("\n"))
    left, right = (  # line number in the base -> in a side, for the lines that both have
        {at + step: place + step for at, place, size in common(rows.base, side) for step in range(size)}
        for side in (rows.ours, rows.theirs)
    )
    stable = [Three(at, left[at], right[at]) for at in range(len(rows.base)) if at in left and at in right]
    merged: list[str] = []
    conflicts: list[MergeConflict] = []
    done = Three(0, 0, 0)
    for places in [*stable, rows.each(len)]:
        old, mine, others = (text[start:end] for text, start, end in zip(rows, done, places, strict=True))
        if mine in (others, old):
            merged += others
        elif others == old:
            merged += mine
        else:
            conflicts.append(MergeConflict("", conflict.text_of(mine), conflict.text_of(others)))
            merged.append(conflict.render(conflicts[-1], sides).removesuffix("\n"))
        merged += rows.base[places.base : places.base + 1]  # the line that all have, if it is not the end
        done = places.each(lambda place: place + 1)
    return "\n".join(merged), tuple(conflicts)


_LONG = 2_000  # lines; comparing each with all of the same text would take too long in more
_MOST_CHANGES = 1_000  # lines added or deleted, up to which the fewest are found in a long text
_MOST_STEPS = 8_000_000  # lines to compare for that; more are needed where most are the same
_OFTEN = 20  # times from which a line tells nothing of where a place in a long and much changed text is now

Run = tuple[int, int, int]  # where lines begin in one text and in another that has them, too, and their number


def common(base: Sequence[str], side: Sequence[str]) -> list[Run]:
    """What two texts have in common, from top to bottom; the last run has no lines and is at the end of both."""
    if len(base) <= _LONG:
        return [*SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks()]
    runs = _unchanged(base, side)
    if runs is None:
        often = {line for line, times in Counter([*base, *side]).items() if times > 2 * _OFTEN}
        return [*SequenceMatcher(often.__contains__, base, side, autojunk=False).get_matching_blocks()]
    return [*runs, (len(base), len(side), 0)]


def _unchanged(base: Sequence[str], side: Sequence[str]) -> list[Run] | None:
    """What the fewest changes leave, by the algorithm of Myers (1986); None if that takes too long.

    `ends[n][i]` is how far n changes come in the base, if i of them delete lines of it and the others add some;
    `starts[n][i]` is where the lines after the last of them begin. The earlier it is, the closer changes are.
    """
    ends: list[list[int]] = []
    starts: list[list[int]] = []
    steps = 0
    for changes in range(_MOST_CHANGES):
        before = ends[-1] if ends else [0]
        ends.append([])
        starts.append([])
        for deleted in range(changes + 1):
            shift = changes - 2 * deleted
            removed = before[deleted - 1] + 1 if deleted else before[0]
            added = before[deleted] if deleted < changes else removed
            start, last = sorted((removed, added))
            if (end := _same(base, side, start, shift)) < last:
                start, end = last, _same(base, side, last, shift)
            ends[-1].append(end)
            starts[-1].append(start)
            steps += end - start
            if end >= len(base) and end + shift >= len(side):
                return _runs(ends, starts, deleted)
        if steps > _MOST_STEPS:
            break
    return None


def _same(base: Sequence[str], side: Sequence[str], at: int, shift: int) -> int:
    """The end of the lines from one of the base on that the side has, too, `shift` lines further down."""
    last = min(len(base), len(side) - shift)
    while at < last and base[at] == side[at + shift]:
        at += 1
    return at


def _runs(ends: Sequence[Sequence[int]], starts: Sequence[Sequence[int]], deleted: int) -> list[Run]:
    """The runs of lines after each of the changes that end the last row, so many of which delete lines."""
    runs = []
    for changes in reversed(range(len(ends))):
        end, start = ends[changes][deleted], starts[changes][deleted]
        if end > start:
            runs.append((start, start + changes - 2 * deleted, end - start))
        deleted -= start not in ends[changes - 1][deleted : deleted + 1]  # else the change added a line
    return runs[::-1]
