"""The three-way merge of texts in units: one side's changes are taken, and both sides' insertions are kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.order import Three, interleave, merge_order, pick
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


class Units(NamedTuple):
    """A text as units, and the blank lines at its end: ("",) is a final newline."""

    units: list[Unit]
    end: tuple[str, ...]


def split(text: str) -> Units:
    """Split a text with `\\n` line ends into units; `join` puts it together again."""
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
    return Units(units, tuple(gap))


def join(units: Iterable[Unit], end: Sequence[str]) -> str:
    """The text of some units."""
    rows: list[str] = []
    for unit in units:
        rows += [*unit.gap, unit.text]
    return "\n".join([*rows, *end])


def seamed(units: Iterable[Unit]) -> Iterator[Unit]:
    """Units with the blank lines that they need where they now follow another kind of unit than before."""
    before = _FIRST
    for unit in units:
        yield unit._replace(gap=_seam(before, unit), after=before)
        before = unit.kind


def _seam(before: str, unit: Unit) -> tuple[str, ...]:
    if before in (unit.after, _FIRST) or CONFLICT in (before, unit.kind):
        return unit.gap
    if before == unit.kind == ITEM:
        return ()
    continues_item = before == ITEM and unit.indent > 0
    return unit.gap or (() if continues_item else ("",))


def _lines(text: str) -> Iterator[tuple[str, str, int, bool]]:
    """Text, kind and level of each line, and whether it belongs to the unit above; a conflict is one line."""
    rows = text.split("\n")
    at = 0
    for block in conflict.find(text):
        yield from _plain_lines(rows[at : block.start])
        yield "\n".join(rows[block.start : block.end]), CONFLICT, 0, False
        at = block.end
    yield from _plain_lines(rows[at:])


def _plain_lines(rows: list[str]) -> Iterator[tuple[str, str, int, bool]]:
    if not rows:
        return
    for line in blocks.lines("\n".join(rows)):
        is_item = line.kind is blocks.PROSE and bool(_MARKER.match(line.text))
        yield line.text, ITEM if is_item else line.kind, line.level, line.continues and line.kind in _WHOLE


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


_RENAMED = 0.5  # the share of units in common from which a section counts as renamed
Path = tuple[str, ...]  # the headings above a section, its own last


class TextSection(NamedTuple):
    """A heading and the text below it, without subsections. `path` is () for the text above all headings."""

    path: Path
    units: list[Unit]


def merge_text(bodies: Three[str]) -> str | None:
    """The merged text, with `\\n` line ends; None if joining its units would make other lines of them."""
    texts = bodies.each(split)
    merged = list(seamed(_merged_units(texts.each(lambda text: text.units))))
    text = join(merged, pick(texts.each(lambda text: text.end)))
    again = split(text)
    return text if [unit.text for unit in again.units] == [unit.text for unit in merged] else None


def _merged_units(texts: Three[list[Unit]]) -> Iterator[Unit]:
    sections = texts.each(lambda units: list(_sections(units)))
    if any(_repeats(found) for found in sections):
        yield from weave(texts)  # sections with the same name cannot be told apart
        return
    versions = sections.each(lambda found: _by_path(found, sections.base))
    for path in merge_order(versions.each(list), rank=tuple):
        yield from _merged_section(*(version.get(path) for version in versions))


def _merged_section(base: list[Unit] | None, ours: list[Unit] | None, theirs: list[Unit] | None) -> Sequence[Unit]:
    if base is None:
        if ours is None or theirs is None:
            return ours or theirs or []
        return weave(Three(common(ours, theirs), ours, theirs))
    if ours is None or theirs is None:
        return _half_deleted(base, ours or theirs or [])
    return weave(Three(base, ours, theirs))


def _half_deleted(base: list[Unit], left: list[Unit]) -> Sequence[Unit]:
    """What remains of a section that one side deleted: the other side's changes to it, under its heading."""
    if not left:
        return []
    kept = weave(Three(base, [], left))
    is_headless = left[0].kind is blocks.HEADING and kept[:1] != left[:1]
    return [left[0], *kept] if kept and is_headless else kept


def _sections(units: Sequence[Unit]) -> Iterator[TextSection]:
    section = TextSection((), [])
    above: list[tuple[int, str]] = []  # level and text of the headings above a line
    for unit in units:
        if unit.kind is blocks.HEADING:
            yield section
            above = [*(heading for heading in above if heading[0] < unit.level), (unit.level, _title(unit))]
            section = TextSection(tuple(text for _, text in above), [])
        section.units.append(unit)
    yield section


def _title(unit: Unit) -> str:
    return blocks.heading_text(unit.text.strip().lstrip("#"))


def _repeats(sections: Sequence[TextSection]) -> bool:
    return len({section.path for section in sections}) < len(sections)


def _by_path(side: Sequence[TextSection], base: Sequence[TextSection]) -> dict[Path, list[Unit]]:
    """The units of a side's sections by their paths in the base: a renamed section keeps its old path."""
    old = {section.path: section.units for section in base}
    there = {section.path for section in side}
    gone = {path: units for path, units in old.items() if path not in there}
    found = {}
    for path, units in side:
        former = next((name for name in gone if path not in old and _is_renamed(gone[name], units)), None)
        if former is not None:
            del gone[former]
        found[path if former is None else former] = units
    return found


def _is_renamed(old: Sequence[Unit], new: Sequence[Unit]) -> bool:
    """Whether the texts below two headings are mostly the same."""
    texts = {unit.text for unit in old[1:]}, {unit.text for unit in new[1:]}
    total = len(texts[0]) + len(texts[1])
    return total > 0 and 2 * len(texts[0] & texts[1]) / total > _RENAMED
