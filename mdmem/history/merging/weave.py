"""The three-way merge of texts in units: one side's changes are taken, and both sides' insertions are kept."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.order import Three, common, interleave, merge_order, pick
from mdmem.note import blocks

ITEM, CONFLICT = "item", "conflict"  # kinds of units, besides the kinds of lines
_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_WHOLE = frozenset((blocks.FENCE, blocks.COMMENT, blocks.HTML, blocks.HEADING))
_FIRST = ""  # the kind "above" the first unit of a text


class Unit(NamedTuple):
    """Lines that stay together. `gap` are the blank lines above them; `after` is the kind of the unit above."""

    text: str
    kind: str
    level: int = 0
    gap: tuple[str, ...] = ()
    after: str = _FIRST

    @property
    def indent(self) -> int:
        """The number of spaces or tabs before its text."""
        return len(self.text) - len(self.text.lstrip())


def split(text: str) -> tuple[list[Unit], tuple[str, ...]]:
    """A text with `\\n` line ends as units, and the blank lines at its end: ("",) is a final newline.

    `join` puts them together again.
    """
    units: list[Unit] = []
    gap: list[str] = []
    for line, kind, level, continues in _lines(text):
        if not line.strip() and not continues:
            gap.append(line)
        elif continues and units and units[-1].kind == kind:
            units[-1] = units[-1]._replace(text="\n".join([units[-1].text, *gap, line]))
            gap = []
        else:
            units.append(Unit(line, kind, level, tuple(gap), units[-1].kind if units else _FIRST))
            gap = []
    return units, tuple(gap)


def join(units: Iterable[Unit], end: Sequence[str]) -> str:
    """The text of some units."""
    rows: list[str] = []
    for unit in units:
        rows += [*unit.gap, unit.text]
    return "\n".join([*rows, *end])


def _lines(text: str) -> Iterator[tuple[str, str, int, bool]]:
    """Text, kind and level of each line, and whether it belongs to the unit above; a conflict is one line."""
    rows = text.split("\n")
    at = 0
    for start, end in [*(block[:2] for block in conflict.find(text)), (len(rows), 0)]:
        for line in blocks.lines("\n".join(rows[at:start])) if start > at else ():
            is_item = line.kind is blocks.PROSE and bool(_MARKER.match(line.text))
            yield line.text, ITEM if is_item else line.kind, line.level, line.continues and line.kind in _WHOLE
        if end:
            yield "\n".join(rows[start:end]), CONFLICT, 0, False
        at = end


def _seamed(units: Iterable[Unit]) -> Iterator[Unit]:
    """Units with the blank lines that they need where they now follow another kind of unit than before."""
    before = _FIRST
    for unit in units:
        gap = unit.gap
        if before not in (unit.after, _FIRST) and CONFLICT not in (before, unit.kind):
            continues_item = before == ITEM and unit.indent > 0
            if before == unit.kind == ITEM:
                gap = ()
            elif not gap and not continues_item:
                gap = ("",)
        yield unit._replace(gap=gap, after=before)
        before = unit.kind


_ALIKE = 0.5  # the share of words in common from which a line is a new version of another
_MOST_PAIRS = 10_000  # pairs of lines to compare; a longer passage counts as rewritten as a whole
_WORD = re.compile(r"\w+")


class Changes(NamedTuple):
    """How a side differs from the base.

    `regions` maps the first unit of each changed passage of the base to its end and its new units. `inserts` maps
    places in the base to the units inserted there, `kept` the number of each unchanged unit to the unit as it is
    now.
    """

    regions: dict[int, tuple[int, Sequence[Unit]]]
    inserts: dict[int, list[Unit]]
    kept: dict[int, Unit]

    def version(self, at: int, end: int) -> list[Unit]:
        """A passage of the base as this side has it, without the units inserted above it."""
        units: list[Unit] = []
        position = at
        while position < end:
            if position > at:
                units += self.inserts.get(position, [])
            if position in self.regions:
                position, new = self.regions[position]
                units += new
            else:
                units.append(self.kept[position])
                position += 1
        return units


def weave(texts: Three[list[Unit]]) -> list[Unit]:
    """The units of a merge; its conflicts are units of kind CONFLICT."""
    base, ours, theirs = texts
    complete = [side for side, other in ((ours, theirs), (theirs, ours)) if _holds_all(base, side, other)]
    return max(complete) if complete else _Loom(base, _changes(base, ours), _changes(base, theirs)).woven()


def _holds_all(base: Sequence[Unit], side: Sequence[Unit], other: Sequence[Unit]) -> bool:
    """Whether the other side has changes and this side has all of them, as after merging the other into it."""
    old, mine, others = (Counter(_texts(units)) for units in (base, side, other))
    has_changes = others != old
    return has_changes and others - old <= mine - old and old - others <= old - mine


def _changes(base: Sequence[Unit], side: Sequence[Unit]) -> Changes:
    """How a side differs from the base, in passages as small as possible."""
    found = Changes({}, {}, {})
    at = place = 0
    for start, there, size in common(_texts(base), _texts(side)):
        for first, end, new in _refined(base[at:start], side[place:there]):
            if first == end:
                found.inserts.setdefault(at + first, []).extend(new)
            else:
                found.regions[at + first] = at + end, new
        at, place = start + size, there + size
        found.kept.update(zip(range(start, at), side[there:place], strict=True))
    return found


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
    none: tuple[float, Any] = (0.0, None)  # a score, and the pairs that have it: (i, j, further pairs)
    below = [none] * (len(new) + 1)
    for i in reversed(range(len(old))):
        row = [none] * (len(new) + 1)
        for j in reversed(range(len(new))):
            alike = likeness(old[i].text, new[j].text)
            score, further = below[j + 1]
            paired = (score + alike, (i, j, further)) if alike >= _ALIKE else none
            row[j] = max(paired, below[j], row[j + 1], key=itemgetter(0))
        below = row
    pairs, rest = [], below[0][1]
    while rest:
        i, j, rest = rest
        pairs.append((i, j))
    return pairs


def likeness(one: str, other: str) -> float:
    """The share of words that two texts have in common, from 0 to 1."""
    left, right = Counter(_WORD.findall(one)), Counter(_WORD.findall(other))
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0


class _Loom:
    """A merge in progress.

    Units inserted at one spot are held back until the next unit that stays is known, since the text between two
    spots may be gone.
    """

    def __init__(self, base: Sequence[Unit], *sides: Changes) -> None:
        self.base, self.sides = base, sides
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
            end = max([end, *(side.regions[position][0] for side in self.sides if position in side.regions)])
            position += 1
        return end

    def _take(self, at: int, end: int) -> None:
        """Decide what a passage of the base becomes."""
        base = self.base[at:end]
        ours, theirs = (side.version(at, end) for side in self.sides)
        before, left, right = (_texts(units) for units in (base, ours, theirs))
        if left == right:
            old = base if left == before else [max(pair) for pair in zip(ours, theirs, strict=True)]
            self._put([_placed(Three(*versions)) for versions in zip(old, ours, theirs, strict=True)])
        elif before in (left, right):
            self._change(base, *((ours, 0) if before == right else (theirs, 1)))
        elif not (left and right):  # deleted on one side and changed on the other: it stays
            self._change(base, *((ours, 0) if ours else (theirs, 1)))
        elif set(left) <= set(right) or set(right) <= set(left):
            self._put(_both(ours, theirs))
        else:
            self._put([_conflicting(ours, theirs)])

    def _change(self, base: Sequence[Unit], new: list[Unit], side: int) -> None:
        """Take one side's version of a passage: changed lines in place, anything new as an insertion."""
        texts = zip(_texts(base), _texts(new), strict=False)
        if len(new) == len(base) and all(likeness(*pair) >= _ALIKE for pair in texts):
            self._put(new)
        else:
            self._held[side].extend(new)

    def _put(self, units: list[Unit]) -> None:
        if units:
            self._release(units[0].text)
            self._merged += units


def _placed(versions: Three[Unit]) -> Unit:
    """A unit that is the same in all versions, with the blank lines above it merged."""
    gap, after = pick(versions.each(lambda unit: unit.gap)), pick(versions.each(lambda unit: unit.after))
    return versions.base._replace(gap=gap, after=after)


def _conflicting(ours: list[Unit], theirs: list[Unit]) -> Unit:
    left, right = (join([units[0]._replace(gap=()), *units[1:]], ("",)) for units in (ours, theirs))
    block = conflict.render(MergeConflict("", left, right)).removesuffix("\n")
    return Unit(block, CONFLICT, 0, max(ours[0].gap, theirs[0].gap), max(ours[0].after, theirs[0].after))


def _both(ours: list[Unit], theirs: list[Unit]) -> list[Unit]:
    """The units that both sides inserted at one spot; what is the same is taken once."""
    if not (ours and theirs):
        return ours or theirs
    return [unit for entry in interleave(_entries(ours), _entries(theirs), _rank) for unit in entry]


def _entries(units: list[Unit]) -> list[list[Unit]]:
    """Units in groups that stay together: an item with the items nested in it, a paragraph, a section."""
    entries: list[list[Unit]] = []
    for unit in units:
        if entries and _belongs(unit, entries[-1][0]):
            entries[-1].append(unit)
        else:
            entries.append([unit])
    return entries


def _belongs(unit: Unit, first: Unit) -> bool:
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


# -- sections ----------------------------------------------------------------------------------------------

_RENAMED = 0.5  # the share of units in common from which a section counts as renamed
# path -> a heading and the text below it, without subsections. A path is the headings above and the own one; that
# of the text above all headings is ().
Sections = dict[tuple[str, ...], list[Unit]]


def merge_text(bodies: Three[str]) -> str | None:
    """The merged text, with `\\n` line ends; None if joining its units would make other lines of them."""
    texts = bodies.each(split)
    merged = list(_seamed(_merged_units(texts.each(lambda text: text[0]))))
    text = join(merged, pick(texts.each(lambda text: text[1])))
    return text if _texts(split(text)[0]) == _texts(merged) else None


def _merged_units(texts: Three[list[Unit]]) -> list[Unit]:
    base, ours, theirs = texts.each(_sections)
    if base is None or ours is None or theirs is None:
        return weave(texts)
    versions = Three(base, _by_old_path(ours, base), _by_old_path(theirs, base))
    paths = merge_order(versions.each(list), rank=tuple)
    return [unit for path in paths for unit in _merged_section(*(version.get(path) for version in versions))]


def _sections(units: Sequence[Unit]) -> Sections | None:
    """The sections of a text; None if two have the same path, so that they cannot be told apart."""
    path: tuple[str, ...] = ()
    sections: Sections = {path: []}
    above: list[tuple[int, str]] = []  # level and text of the headings above a line
    for unit in units:
        if unit.kind is blocks.HEADING:
            title = blocks.heading_text(unit.text.strip().lstrip("#"))
            above = [*(heading for heading in above if heading[0] < unit.level), (unit.level, title)]
            path = tuple(text for _, text in above)
            if path in sections:
                return None
            sections[path] = []
        sections[path].append(unit)
    return sections


def _merged_section(base: list[Unit] | None, ours: list[Unit] | None, theirs: list[Unit] | None) -> list[Unit]:
    if ours is not None and theirs is not None:
        return weave(Three(_common(ours, theirs) if base is None else base, ours, theirs))
    left = ours or theirs or []
    if base is None or not left:
        return left
    kept = weave(Three(base, [], left))  # one side deleted it: the other's changes stay, under its heading
    is_headless = left[0].kind is blocks.HEADING and kept[:1] != left[:1]
    return [left[0], *kept] if kept and is_headless else kept


def _common(ours: Sequence[Unit], theirs: Sequence[Unit]) -> list[Unit]:
    """The units that two texts share, in order: a base for texts that have none."""
    left, right = sorted((list(ours), list(theirs)))
    runs = common(_texts(left), _texts(right))
    return [unit for start, _, size in runs for unit in left[start : start + size]]


def _by_old_path(side: Sections, base: Sections) -> Sections:
    """A side's sections by their paths in the base: a renamed section keeps its old path."""
    gone = {path: units for path, units in base.items() if path not in side}
    found = {}
    for path, units in side.items():
        former = next((old for old, were in gone.items() if path not in base and _is_renamed(were, units)), path)
        gone.pop(former, None)
        found[former] = units
    return found


def _is_renamed(old: Sequence[Unit], new: Sequence[Unit]) -> bool:
    """Whether the texts below two headings are mostly the same."""
    left, right = set(_texts(old[1:])), set(_texts(new[1:]))
    total = len(left) + len(right)
    return total > 0 and 2 * len(left & right) / total > _RENAMED
