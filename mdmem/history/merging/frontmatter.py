"""The three-way merge of a note's properties, key by key: the result is valid YAML, whatever was changed.

A property that only one side touched keeps its bytes. If both did, lists are merged as sets. For other values, the
meaning of the property decides which one wins; else the value of the note that was `updated` later; else the
greater text. In the last two cases, the other value becomes a conflict, which the text of the note shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdmem.history.merging import conflict, values
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.order import Three, interleave, merge_order, pick
from mdmem.history.merging.regions import (
    RawBlock,
    RawProperty,
    identity,
    is_plain_flow,
    is_same,
    raw_items,
    rows_of,
)
from mdmem.note import moments

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

_INDENT = "  "
_Versions = Three[RawProperty | None]


class MergedBlock(NamedTuple):
    """The merged lines of the frontmatter, the values that they must parse to, and the conflicts."""

    text: str
    meta: dict[str, Value]
    conflicts: tuple[MergeConflict, ...]


class _MergedProperty(NamedTuple):
    """A property after the merge, with a conflict if another value was dropped."""

    raw: str
    value: Value
    conflict: MergeConflict | None = None


def merge_blocks(blocks: Three[RawBlock]) -> MergedBlock:
    """The merged properties of both sides."""
    prefers_ours = _prefers_ours(blocks.ours, blocks.theirs)
    text = ""
    meta: dict[str, Value] = {}
    conflicts = []
    for key in merge_order(blocks.each(lambda block: list(block.properties)), rank=str):
        versions = Three(*(block.properties.get(key) for block in blocks))
        merged = _merged(key, versions, prefers_ours)
        if merged is None:
            continue
        text += pick(versions.each(_comments), both=_both_comments) + merged.raw
        meta[key] = merged.value
        conflicts += [merged.conflict] if merged.conflict else []
    text += pick(blocks.each(lambda block: block.below), both=_both_comments)
    return MergedBlock(text, meta, tuple(conflicts))


def _prefers_ours(ours: RawBlock, theirs: RawBlock) -> bool | None:
    """Whether our side was updated later; None if the times are the same or missing."""
    dates = []
    for block in (ours, theirs):
        updated = block.properties.get("updated")
        dates.append(moments.normal(updated.value) if updated else "")
    return None if dates[0] == dates[1] else dates[0] > dates[1]


def _merged(key: str, versions: _Versions, prefers_ours: bool | None) -> _MergedProperty | None:
    """The merged property; None if it was removed."""
    base, ours, theirs = versions
    if _is_equal(ours, theirs):
        if ours is None or theirs is None:
            return None
        return _kept(pick(Three(base, ours, theirs), both=_greater) if base else _greater(ours, theirs))
    if _is_equal(base, ours) or _is_equal(base, theirs):
        return _kept(theirs if _is_equal(base, ours) else ours)
    if any(version and isinstance(version.value, list) for version in versions):
        return _merged_list(key, versions)
    if ours is None or theirs is None:  # removed on one side and changed on the other: it stays
        return _kept(ours or theirs)
    return _chosen(key, ours, theirs, prefers_ours)


def _chosen(key: str, ours: RawProperty, theirs: RawProperty, prefers_ours: bool | None) -> _MergedProperty:
    decision = values.decided(key, ours.value, theirs.value)
    if decision:
        chosen = ours if decision is values.OURS else theirs
        return _MergedProperty(chosen.raw, chosen.value)
    is_ours = ours.raw > theirs.raw if prefers_ours is None else prefers_ours
    chosen = ours if is_ours else theirs
    return _MergedProperty(chosen.raw, chosen.value, MergeConflict(conflict.PROPERTY, ours.raw, theirs.raw))


def _kept(found: RawProperty | None) -> _MergedProperty | None:
    return _MergedProperty(found.raw, found.value) if found else None


def _is_equal(one: RawProperty | None, other: RawProperty | None) -> bool:
    if one is None or other is None:
        return one is other
    return is_same(one.value, other.value)


def _greater(ours: RawProperty, theirs: RawProperty) -> RawProperty:
    return max(ours, theirs, key=_raw)


def _raw(found: RawProperty) -> str:
    return found.raw


def _comments(found: RawProperty | None) -> str:
    """The comments and blank lines above a property."""
    return found.above if found else ""


def _both_comments(ours: str, theirs: str) -> str:
    return "".join(interleave(rows_of(ours), rows_of(theirs), rank=lambda row: row))


# -- lists -------------------------------------------------------------------------------------------------


def _merged_list(key: str, versions: _Versions) -> _MergedProperty | None:
    """A list merged as a set: items that either side removed are gone, items that either side added are in it."""
    lists = versions.each(_items)
    items = {identity(item): item for found in lists for item in found}
    names = lists.each(lambda found: [identity(item) for item in found])
    kept = set(names.ours) & set(names.theirs)
    known = set(names.base)
    old = [name for name in merge_order(names, rank=str) if name in known & kept]
    added = [[name for name in side if name not in known] for side in (names.ours, names.theirs)]
    new = interleave(added[0], added[1], rank=str)
    merged = [items[name] for name in dict.fromkeys([*old, *new])]
    sides = [version for version in versions if version]
    for side in sorted(sides, key=_raw):
        if is_same(side.value, merged):
            return _MergedProperty(side.raw, side.value)
    if not merged:
        return None
    return _MergedProperty(_written(key, merged, versions), merged)


def _items(found: RawProperty | None) -> list[Value]:
    """The items of a list; a single value counts as a list of one."""
    if found is None or found.value is None:
        return []
    return found.value if isinstance(found.value, list) else [found.value]


def _written(key: str, items: Sequence[Value], versions: _Versions) -> str:
    """The lines of a merged list in the style of the sides, with each item's own lines where possible."""
    sides = [version for version in versions if version and isinstance(version.value, list) and version.value]
    if sides and all(is_plain_flow(side) for side in sides):
        return f"{sides[-1].raw.partition(':')[0]}: [{', '.join(_flow_item(item) for item in items)}]\n"
    heads, lines = [], {}
    for side in sorted(sides, key=_raw):
        found = raw_items(side)
        if found:
            heads.append(found[0])
            lines.update(found[1])
    head = heads[-1] if heads else _head(key)
    indents = {line[: len(line) - len(line.lstrip(" "))] for line in lines.values()}
    indent = max(indents, default=_INDENT) if len(indents) < 2 else None
    return head + "".join(_item_lines(item, lines, indent) for item in items)


def _flow_item(item: Value) -> str:
    from mdmem.note import yamltext

    return yamltext.flow_list([item])[1:-1]


def _head(key: str) -> str:
    from mdmem.note import yamltext

    return next(yamltext.lines(key, [""])) + "\n"


def _item_lines(item: Value, lines: dict[str, str], indent: str | None) -> str:
    """An item as one side wrote it, or written again if that was in another style."""
    if indent is not None and identity(item) in lines:
        return lines[identity(item)]
    from mdmem.note import yamltext

    return "".join(line + "\n" for line in yamltext.item_lines(item, _INDENT if indent is None else indent))
