"""The three-way merge of texts in units: one side's changes are taken, and both sides' insertions are kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.order import Three, interleave, pick
from mdmem.history.merging.units import CONFLICT, ITEM, Unit, join
from mdmem.note import blocks

_ALIKE = 0.5  # the share of words in common from which a line is a new version of another
_MOST_PAIRS = 10_000  # pairs of lines to compare; a longer passage counts as rewritten as a whole
_LONG = 2_000  # number of units above which frequent ones no longer guide the comparison
_WORD = re.compile(r"\w+")


class Changes(NamedTuple):
    """How a side differs from the base.

    `regions` maps the first unit of each changed passage of the base to its end and its new units. `inserts` maps
    places in the base to the units inserted there, `kept` the number of each unchanged unit to the unit as it is
    now.
    """

    regions: dict[int, tuple[int, list[Unit]]]
    inserts: dict[int, list[Unit]]
    kept: dict[int, Unit]


def weave(texts: Three[list[Unit]]) -> list[Unit]:
    """The units of a merge; its conflicts are units of kind CONFLICT."""
    base, ours, theirs = texts
    complete = [side for side, other in ((ours, theirs), (theirs, ours)) if _holds_all(base, side, other)]
    if complete:
        return max(complete)
    return _Loom(base, changes(base, ours), changes(base, theirs)).woven()


def _holds_all(base: Sequence[Unit], side: Sequence[Unit], other: Sequence[Unit]) -> bool:
    """Whether the other side has changes and this side has all of them, as after merging the other into it."""
    old, mine, others = (Counter(_texts(units)) for units in (base, side, other))
    has_changes = others != old
    return has_changes and others - old <= mine - old and old - others <= old - mine


def common(ours: Sequence[Unit], theirs: Sequence[Unit]) -> list[Unit]:
    """The units that two texts share, in order: a base for texts that have none."""
    left, right = sorted((list(ours), list(theirs)))
    matcher = _matcher(left, right)
    return [unit for match in matcher.get_matching_blocks() for unit in left[match.a : match.a + match.size]]


def changes(base: Sequence[Unit], side: Sequence[Unit]) -> Changes:
    """How a side differs from the base, in passages as small as possible."""
    found = Changes({}, {}, {})
    for tag, i1, i2, j1, j2 in _matcher(base, side).get_opcodes():
        if tag == "equal":
            found.kept.update(zip(range(i1, i2), side[j1:j2], strict=True))
            continue
        for start, end, new in _refined(base[i1:i2], side[j1:j2]):
            if start == end:
                found.inserts.setdefault(i1 + start, []).extend(new)
            else:
                found.regions[i1 + start] = i1 + end, list(new)
    return found


def likeness(one: str, other: str) -> float:
    """The share of words that two texts have in common, from 0 to 1."""
    words = Counter(_WORD.findall(one)), Counter(_WORD.findall(other))
    total = words[0].total() + words[1].total()
    return 2 * (words[0] & words[1]).total() / total if total else 0.0


def _matcher(base: Sequence[Unit], side: Sequence[Unit]) -> SequenceMatcher[str]:
    texts = [unit.text for unit in base], [unit.text for unit in side]
    return SequenceMatcher(None, *texts, autojunk=len(base) > _LONG)


def _refined(old: Sequence[Unit], new: Sequence[Unit]) -> Iterator[tuple[int, int, Sequence[Unit]]]:
    """(start, end, new units) of the changes within a passage, split as finely as possible."""
    at_old = at_new = 0
    for i, j in [*_pairs(old, new), (len(old), len(new))]:
        if at_new == j:
            yield from ((gone, gone + 1, ()) for gone in range(at_old, i))
        else:
            yield at_old, i, new[at_new:j]
        if i < len(old):
            yield i, i + 1, new[j : j + 1]
        at_old, at_new = i + 1, j + 1


def _pairs(old: Sequence[Unit], new: Sequence[Unit]) -> list[tuple[int, int]]:
    """The pairs (i, j) in which unit i of the old passage became unit j of the new one."""
    if len(old) * len(new) > _MOST_PAIRS:
        return []
    best: list[list[float]] = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    alike = [[likeness(one.text, other.text) for other in new] for one in old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] >= _ALIKE else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    return _walk(best, alike)


def _walk(best: list[list[float]], alike: list[list[float]]) -> list[tuple[int, int]]:
    """The pairs of the best alignment, read off its table of scores."""
    pairs = []
    i = j = 0
    while i < len(alike) and j < len(alike[0]):
        if alike[i][j] >= _ALIKE and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


class _Loom:
    """A merge in progress.

    Units inserted at one spot are held back until the next unit that stays is known, since the text between two
    spots may be gone.
    """

    def __init__(self, base: Sequence[Unit], ours: Changes, theirs: Changes) -> None:
        self.base = base
        self.sides = (ours, theirs)
        self._merged: list[Unit] = []
        self._held: tuple[list[Unit], list[Unit]] = ([], [])

    def woven(self) -> list[Unit]:
        """The merged units."""
        at = 0
        while at < len(self.base):
            self._hold(at)
            end = self._cluster_end(at)
            self._take(at, end)
            at = end
        self._hold(at)
        self._release()
        return self._merged

    def _hold(self, at: int) -> None:
        """Hold back the units that the sides insert above the unit `at`."""
        for held, side in zip(self._held, self.sides, strict=True):
            new = side.inserts.get(at, [])
            is_there = bool(new and self._merged) and self._merged[-1].text == new[0].text
            held.extend(new[1:] if is_there and not held else new)

    def _release(self, following: str = "") -> None:
        """Add the units that both sides inserted, except for a line that comes next anyway."""
        for held in self._held:
            if following and held and held[-1].text == following:
                held.pop()
        self._merged += _both(*self._held)
        self._held = ([], [])

    def _cluster_end(self, at: int) -> int:
        """The end of the passage that begins at a unit and spans all overlapping changes of either side."""
        end = at + 1
        position = at
        while position < end:
            for side in self.sides:
                if position in side.regions:
                    end = max(end, side.regions[position][0])
            position += 1
        return end

    def _take(self, at: int, end: int) -> None:
        """Decide what a passage of the base becomes."""
        base = self.base[at:end]
        ours, theirs = (_version(at, end, side) for side in self.sides)
        before, left, right = (_texts(units) for units in (base, ours, theirs))
        if left == right:
            old = base if left == before else [max(pair) for pair in zip(ours, theirs, strict=True)]
            self._put([_placed(Three(*versions)) for versions in zip(old, ours, theirs, strict=True)])
        elif before in (left, right):
            self._change(base, ours if before == right else theirs, is_ours=before == right)
        elif not (left and right):  # deleted on one side and changed on the other: it stays
            self._change(base, ours or theirs, is_ours=bool(ours))
        elif set(left) <= set(right) or set(right) <= set(left):
            self._put(_both(ours, theirs))
        else:
            self._put([_conflicting(ours, theirs)])

    def _change(self, base: Sequence[Unit], new: list[Unit], is_ours: bool) -> None:
        """Take one side's version of a passage: changed lines in place, anything new as an insertion."""
        if len(new) == len(base) and all(
            likeness(old.text, unit.text) >= _ALIKE for old, unit in zip(base, new, strict=True)
        ):
            self._put(new)
        else:
            self._held[0 if is_ours else 1].extend(new)

    def _put(self, units: list[Unit]) -> None:
        if units:
            self._release(units[0].text)
            self._merged += units


def _placed(versions: Three[Unit]) -> Unit:
    """A unit that is the same in all versions, with the blank lines above it merged."""
    gap, after = pick(versions.each(lambda unit: unit.gap)), pick(versions.each(lambda unit: unit.after))
    return versions.base._replace(gap=gap, after=after)


def _version(at: int, end: int, side: Changes) -> list[Unit]:
    """A passage of the base as one side has it, without the units inserted above it."""
    units: list[Unit] = []
    position = at
    while position < end:
        if position > at:
            units += side.inserts.get(position, [])
        if position in side.regions:
            position, new = side.regions[position]
            units += new
        else:
            units.append(side.kept[position])
            position += 1
    return units


def _conflicting(ours: list[Unit], theirs: list[Unit]) -> Unit:
    left, right = (join([units[0]._replace(gap=()), *units[1:]], ("",)) for units in (ours, theirs))
    block = conflict.render(MergeConflict("", left, right)).removesuffix("\n")
    return Unit(block, CONFLICT, 0, max(ours[0].gap, theirs[0].gap), max(ours[0].after, theirs[0].after))


def _both(ours: list[Unit], theirs: list[Unit]) -> list[Unit]:
    """The units that both sides inserted at one spot; what is the same is taken once."""
    if not (ours and theirs):
        return ours or theirs
    merged = interleave(_entries(ours), _entries(theirs), _rank)
    return [unit for entry in merged for unit in entry]


def _entries(units: list[Unit]) -> list[list[Unit]]:
    """Units in groups that stay together: an item with the items nested in it, a paragraph, a section."""
    entries: list[list[Unit]] = []
    for unit in units:
        if entries and _belongs(unit, entries[-1]):
            entries[-1].append(unit)
        else:
            entries.append([unit])
    return entries


def _belongs(unit: Unit, entry: list[Unit]) -> bool:
    first = entry[0]
    if blocks.HEADING in (first.kind, unit.kind):
        return unit.kind is not blocks.HEADING
    if first.kind is ITEM:
        return unit.indent > first.indent or (not unit.gap and unit.kind is not ITEM)
    return not unit.gap and unit.kind == first.kind


def _rank(entry: list[Unit]) -> tuple[bool, int, list[str]]:
    """The sort key of an entry: one that continues the line above, or is nested in it, comes before others."""
    first = entry[0]
    continues = not first.gap and first.kind is not ITEM and first.after == ITEM
    return not continues, -first.indent, _texts(entry)


def _texts(units: Sequence[Unit]) -> list[str]:
    return [unit.text for unit in units]
