"""The three-way merge of a note's text, section by section, even if one side moved them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.history.merging.order import Three, merge_order, pick
from mdmem.history.merging.units import Unit, join, seamed, split
from mdmem.history.merging.weave import common, weave
from mdmem.note import blocks

_ALIKE = 0.5  # the share of units in common from which a section counts as renamed
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
    return total > 0 and 2 * len(texts[0] & texts[1]) / total > _ALIKE
