"""The three-way merge of a note's properties, key by key: the result is valid YAML, whatever was changed.

A property that only one side touched keeps its bytes. If both did, lists are merged as sets. For other values, the
meaning of the property decides which one wins; else the value of the note that was `updated` later; else the
greater text. In the last two cases, the other value becomes a conflict, which the text of the note shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.order import Three, interleave, merge_order, pick
from mdmem.note import moments, scalars
from mdmem.note.memory import as_flag, as_text

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value


_KEY = re.compile(r"(?P<key>\"[^\"\n]*\"|'[^'\n]*'|[^\s#\-\[\]{}\"'?&*!|>%@`][^\n]*?)[ \t]*:(?=\s|$)")
_LITERAL = re.compile(r":[ \t]+[|>][-+\d]*[ \t]*(?:#.*)?$")
_FLOW = re.compile(r"[^:]+:[ ]+\[(?P<items>[^\[\]{}\"':#]*)\]\s*")
_DASH = re.compile(r"(?P<indent>[ ]*)-(?:\s|$)")


class RawProperty(NamedTuple):
    """A property as written: the comments and blank lines `above` it, its own lines `raw`, and its value."""

    above: str
    raw: str
    value: Value


class RawBlock(NamedTuple):
    """The properties of a block in order, and the comments and blank lines below the last one."""

    properties: dict[str, RawProperty]
    below: str


def read(block: str, meta: Mapping[str, Value]) -> RawBlock | None:
    """Split a block (with `\\n` line ends) that parses to `meta`; None if its lines cannot be told apart."""
    found: dict[str, list[str]] = {}  # key -> lines above, own lines
    pending = ""
    key = ""
    for line in rows_of(block):
        match = _KEY.match(line)
        if match:
            key = _plain(match["key"])
            if key in found:
                return None
            found[key] = [pending, line]
            pending = ""
        elif _is_trivia(line, found.get(key, ["", ""])[1]):
            pending += line
        elif not key:
            return None
        else:
            found[key][1] += pending + line
            pending = ""
    if list(found) != list(meta):
        return None
    return RawBlock({name: RawProperty(above, raw, meta[name]) for name, (above, raw) in found.items()}, pending)


def rows_of(text: str) -> list[str]:
    """The lines of a text that ends with a newline, each with its own newline."""
    return [line + "\n" for line in text.removesuffix("\n").split("\n")] if text else []


def is_same(one: Value, other: Value) -> bool:
    """Whether two values are equal and of the same type: 1 is neither 1.0 nor true."""
    return identity(one) == identity(other)


def identity(value: Value) -> str:
    """A text that is the same for equal values only."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def raw_items(found: RawProperty) -> tuple[str, dict[str, str]] | None:
    """(line above the items, identity -> raw text) of a list in block style; None for any other value."""
    head, *rows = rows_of(found.raw)
    dash = next((match for row in rows if (match := _DASH.match(row))), None)
    if dash is None or not isinstance(found.value, list):
        return None
    chunks: list[str] = []
    above = ""
    for row in rows:
        match = _DASH.match(row)
        if match and match["indent"] == dash["indent"]:
            chunks.append(above + row)
            above = ""
        elif row.strip() and not row.lstrip().startswith("#") and chunks:
            chunks[-1] += above + row
            above = ""
        else:
            above += row
    if above or len(chunks) != len(found.value):
        return None
    return head, {identity(item): chunk for item, chunk in zip(found.value, chunks, strict=True)}


def is_plain_flow(found: RawProperty) -> bool:
    """Whether a value is a list on one line whose items have no quotes, with no comment after it."""
    match = _FLOW.fullmatch(found.raw)
    if match is None or not isinstance(found.value, list):
        return False
    items = [item.strip() for item in match["items"].split(",")] if match["items"].strip() else []
    return [scalars.read(item) for item in items] == found.value


def _plain(key: str) -> str:
    return key[1:-1] if key[0] in "\"'" else key


def _is_trivia(line: str, raw: str) -> bool:
    """Whether a line is blank or a comment, and not part of a multi-line text."""
    bare = line.strip()
    if not bare:
        return True
    is_inside = line[0] in " \t" and bool(_LITERAL.search(raw.split("\n", 1)[0]))
    return bare.startswith("#") and not is_inside


OURS, THEIRS, UNDECIDED = "ours", "theirs", ""
_GRAVITY = {  # the later value outranks the earlier
    "status": ("active", "contested", "deprecated", "retracted"),
    "sensitivity": ("public", "low", "medium", "high", "hyper"),
    "origin": ("user", "agent", "tool", "web", "import"),
}
_EARLIER = frozenset({"created"})
_LATER = frozenset({"updated", "decay_anchor"})


def decided(key: str, ours: Value, theirs: Value) -> str:
    """OURS or THEIRS if the property's meaning says which value wins, else UNDECIDED."""
    if key == "id":  # both sides gave an id to a note without one: the first in sort order wins
        return OURS if as_text(ours) < as_text(theirs) else THEIRS
    if key in _GRAVITY:
        return _graver(_GRAVITY[key], ours, theirs)
    if key == "pinned" and as_flag(ours) != as_flag(theirs):
        return OURS if as_flag(ours) else THEIRS
    if key in _EARLIER or key in _LATER or key.startswith("last_"):
        return _by_date(ours, theirs, latest=key not in _EARLIER)
    return UNDECIDED


def sensitivity(value: Value) -> int:
    """The rank of a memory's sensitivity, from 0 for public; an unknown or missing value ranks as low."""
    ranks = _GRAVITY["sensitivity"]
    return ranks.index(str(value) if value in ranks else "low")


def _graver(ranks: tuple[str, ...], ours: Value, theirs: Value) -> str:
    if ours not in ranks or theirs not in ranks or ours == theirs:
        return UNDECIDED
    return OURS if ranks.index(str(ours)) > ranks.index(str(theirs)) else THEIRS


def _by_date(ours: Value, theirs: Value, latest: bool) -> str:
    left, right = moments.normal(ours), moments.normal(theirs)
    if not left or not right or left == right:
        return UNDECIDED
    return OURS if (left > right) is latest else THEIRS


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
    decision = decided(key, ours.value, theirs.value)
    if decision:
        chosen = ours if decision is OURS else theirs
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
