"""Three-way merges of sequences: items of a list, names of properties, sections of a text."""

from __future__ import annotations

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
    left, right = (_matches(rows.base, side) for side in (rows.ours, rows.theirs))
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


def _matches(base: list[str], side: list[str]) -> dict[int, int]:
    """line number in the base -> line number in a side, for the lines that both have."""
    matcher = SequenceMatcher(None, base, side, autojunk=len(base) > 2_000)
    return {
        match.a + step: match.b + step for match in matcher.get_matching_blocks() for step in range(match.size)
    }
