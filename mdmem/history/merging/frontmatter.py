"""The three-way merge of a note's properties, key by key: the result is valid YAML, whatever was changed.

A property that only one side touched keeps its bytes. If both did, lists are merged as sets. For other values, the
meaning of the property decides which one wins; else the value of the note that was `updated` later; else the
greater text. In the last two cases, the other value becomes a conflict, which the text of the note shows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.order import Three, interleave, merge_order, pick
from mdmem.note import moments, scalars
from mdmem.note.memory import as_flag, as_text
from mdmem.note.scalars import identity, is_same

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


def _raw_items(found: RawProperty) -> tuple[str, dict[str, str]] | None:
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


def _is_plain_flow(found: RawProperty) -> bool:
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


_INDENT = "  "
_GRAVITY = {  # the later value outranks the earlier
    "status": ("active", "contested", "deprecated", "retracted"),
    "sensitivity": ("public", "low", "medium", "high", "hyper"),
    "origin": ("user", "agent", "tool", "web", "import"),
}
_DATES = ("created", "updated", "decay_anchor")
_LEAST_WINS = ("id", "created")  # of two ids for a note without one, the first in sort order
_Versions = Three[RawProperty | None]


class MergedBlock(NamedTuple):
    """The merged lines of the frontmatter, the values that they must parse to, and the conflicts."""

    text: str
    meta: dict[str, Value]
    conflicts: list[MergeConflict]


def sensitivity(value: Value) -> int:
    """The rank of a memory's sensitivity, from 0 for public; an unknown or missing value ranks as low."""
    ranks = _GRAVITY["sensitivity"]
    return ranks.index(str(value) if value in ranks else "low")


def merge_blocks(blocks: Three[RawBlock]) -> MergedBlock:
    """The merged properties of both sides."""
    merged = MergedBlock("", {}, [])
    text = ""
    for key in merge_order(blocks.each(lambda block: list(block.properties)), rank=str):
        versions = Three(*(block.properties.get(key) for block in blocks))
        found = _merged(key, versions, blocks, merged.conflicts)
        if found:
            comments = versions.each(lambda version: version.above if version else "")
            text += pick(comments, both=_both_comments) + found.raw
            merged.meta[key] = found.value
    text += pick(blocks.each(lambda block: block.below), both=_both_comments)
    return merged._replace(text=text)


def _both_comments(ours: str, theirs: str) -> str:
    return "".join(interleave(rows_of(ours), rows_of(theirs), rank=lambda row: row))


def _merged(
    key: str, versions: _Versions, blocks: Three[RawBlock], conflicts: list[MergeConflict]
) -> RawProperty | None:
    """The merged property, None if it was removed. Adds to the conflicts if another value was dropped."""
    base, ours, theirs = versions
    if _is_equal(ours, theirs):
        if ours is None or theirs is None:
            return None
        return pick(Three(base, ours, theirs), both=_greater) if base else _greater(ours, theirs)
    if _is_equal(base, ours) or _is_equal(base, theirs):
        return theirs if _is_equal(base, ours) else ours
    if any(version and isinstance(version.value, list) for version in versions):
        return _merged_list(key, versions)
    if ours and theirs:
        return _chosen(key, ours, theirs, blocks, conflicts)
    return ours or theirs  # removed on one side and changed on the other: it stays


def _chosen(
    key: str, ours: RawProperty, theirs: RawProperty, blocks: Three[RawBlock], conflicts: list[MergeConflict]
) -> RawProperty:
    """The one of two values that stays."""
    left, right = _weight(key, ours.value), _weight(key, theirs.value)
    if left is not None and right is not None and left != right:
        return ours if (left > right) is (key not in _LEAST_WINS) else theirs
    conflicts.append(MergeConflict(conflict.PROPERTY, ours.raw, theirs.raw))
    left, right = (_updated(block) for block in (blocks.ours, blocks.theirs))
    return _greater(ours, theirs) if left == right else ours if left > right else theirs


def _is_equal(one: RawProperty | None, other: RawProperty | None) -> bool:
    if one is None or other is None:
        return one is other
    return is_same(one.value, other.value)


def _greater(ours: RawProperty, theirs: RawProperty) -> RawProperty:
    return max(ours, theirs, key=lambda version: version.raw)


def _weight(key: str, value: Value) -> Any:
    """How much a value of a property counts beside another; None if its meaning does not say."""
    if key in _GRAVITY:
        ranks = _GRAVITY[key]
        return ranks.index(str(value)) if value in ranks else None
    if key in _DATES or key.startswith("last_"):
        return moments.normal(value) or None
    return as_flag(value) if key == "pinned" else as_text(value) if key == "id" else None


def _updated(block: RawBlock) -> str:
    """When a side was last updated."""
    updated = block.properties.get("updated")
    return moments.normal(updated.value) if updated else ""


# -- lists -------------------------------------------------------------------------------------------------


def _merged_list(key: str, versions: _Versions) -> RawProperty | None:
    """A list merged as a set: items that either side removed are gone, items that either side added are in it."""
    lists = versions.each(_items)
    items = {identity(item): item for found in lists for item in found}
    names = lists.each(lambda found: [identity(item) for item in found])
    known, kept = set(names.base), set(names.ours) & set(names.theirs)
    old = [name for name in merge_order(names, rank=str) if name in known & kept]
    ours, theirs = ([name for name in side if name not in known] for side in (names.ours, names.theirs))
    merged = [items[name] for name in dict.fromkeys([*old, *interleave(ours, theirs, rank=str)])]
    sides = sorted((version for version in versions if version), key=lambda version: version.raw)
    if same := next((side for side in sides if is_same(side.value, merged)), None):
        return same
    return RawProperty("", _written(key, merged, sides), merged) if merged else None


def _items(found: RawProperty | None) -> list[Value]:
    """The items of a list; a single value counts as a list of one."""
    if found is None or found.value is None:
        return []
    return found.value if isinstance(found.value, list) else [found.value]


def _written(key: str, items: list[Value], sides: Sequence[RawProperty]) -> str:
    """The lines of a merged list in the style of the sides, with each item's own lines where possible."""
    from mdmem.note import yamltext  # few merges write a list anew

    sides = [side for side in sides if isinstance(side.value, list) and side.value]
    if sides and all(map(_is_plain_flow, sides)):
        return f"{sides[-1].raw.partition(':')[0]}: {yamltext.flow_list(items)}\n"
    head = next(yamltext.lines(key, [""])) + "\n"
    lines: dict[str, str] = {}
    for head_there, lines_there in filter(None, map(_raw_items, sides)):
        head = head_there
        lines |= lines_there
    indents = {line[: len(line) - len(line.lstrip(" "))] for line in lines.values()}
    for item in items:
        if len(indents) < 2 and identity(item) in lines:
            head += lines[identity(item)]
        else:
            indent = max(indents, default=_INDENT) if len(indents) < 2 else _INDENT
            head += "".join(line + "\n" for line in yamltext.item_lines(item, indent))
    return head
