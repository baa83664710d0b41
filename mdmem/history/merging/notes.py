"""The three-way merge of notes: properties key by key, the text by sections, lines and bullets.

`merge` is pure. Which side is named first makes no difference, except to the order of sides in a conflict; merging
a merged text again changes nothing; and without conflicts, it makes no difference which two of three versions are
merged first. A note that cannot be parsed is merged line by line, as git does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mdmem.history.merging import conflict, frontmatter, order
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.frontmatter import MergedBlock, RawBlock, merge_blocks
from mdmem.history.merging.order import Three, pick
from mdmem.history.merging.weave import merge_text
from mdmem.note import header, moments
from mdmem.note.header import Header
from mdmem.note.memory import as_text

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

_BOM = "\ufeff"
_READABLE = ("frontmatter", "none")


class Merged(NamedTuple):
    """A merged text and its conflicts, which are in the text between markers.

    `is_two` says that the versions are two memories with the same name: their ids differ, and they have no common
    past. The text is then that of the memory that keeps the name (see `namesake`), with the other one as a
    conflict.
    """

    text: str
    conflicts: tuple[MergeConflict, ...] = ()
    is_two: bool = False


class _Version(NamedTuple):
    """A version of a note with `\\n` line ends, and its header."""

    text: str
    head: Header

    @property
    def block(self) -> RawBlock | None:
        """Its properties; None if their lines cannot be told apart."""
        if self.head.broken or self.head.form not in _READABLE:
            return None
        return frontmatter.read(self.text[self.head.start : self.head.end], self.head.meta)

    @property
    def body(self) -> str:
        return self.text[self.head.body_start :]


def merge(base: str | None, ours: str, theirs: str) -> Merged:
    """Merge two versions of a note; with None for `base` they have no common past."""
    if ours in (theirs, base):
        return Merged(theirs)
    if theirs == base:
        return Merged(ours)
    texts = Three(base or "", ours, theirs)
    bom = _BOM if pick(texts.each(lambda text: text.startswith(_BOM))) else ""
    eol = _line_end(texts)
    merged = _merged(texts.each(_plain if eol else _bare), has_past=base is not None)
    return merged._replace(text=bom + merged.text.replace("\n", eol or "\n"))


def merge_headers(base: str, ours: str, theirs: str) -> str | None:
    """Three versions of a header merged property by property, if no decision is needed that a person should see.

    None if both sides changed the same property, unless that is a list, or if a header cannot be parsed as
    frontmatter.
    """
    versions = Three(base, ours, theirs).each(lambda text: _version(_plain(text)))
    if any(note.block is None or note.head.form != "frontmatter" for note in versions):
        return None
    metas = versions.each(lambda note: note.head.meta)
    keys = {key for meta in metas for key in meta}
    if any(_is_contested(Three(*(meta.get(key) for meta in metas))) for key in keys):
        return None
    merged = merge(base, ours, theirs)
    return None if merged.conflicts else merged.text


def _is_contested(versions: Three[Value]) -> bool:
    """Whether both sides changed a property in different ways, and it is not a list."""
    old, left, right = versions
    is_list = all(value is None or isinstance(value, list) for value in versions)
    same = frontmatter.is_same(left, old) or frontmatter.is_same(right, old) or frontmatter.is_same(left, right)
    return not is_list and not same


def namesake(ours: str, theirs: str) -> tuple[str, str]:
    """Of two memories with the same name: the text that keeps the name, and the other.

    The more sensitive one keeps it, since it may have to hold the other as a conflict; else the one created first.
    """
    kept, moved = sorted((ours, theirs), key=_precedence)
    return kept, moved


def _precedence(text: str) -> tuple[int, str, str]:
    meta = _version(_plain(text)).head.meta
    return -frontmatter.sensitivity(meta.get("sensitivity")), moments.normal(meta.get("created")) or "~", text


def _merged(texts: Three[str], has_past: bool) -> Merged:
    versions = texts.each(_version)
    _, left, right = versions
    if not has_past and _are_two(left.head, right.head):
        return _two(texts.ours, texts.theirs)
    merged = _merged_head(versions)
    if merged is None:
        return Merged(*order.merge_lines(texts))
    head, undecided = merged
    above = "".join(conflict.render(found) for found in undecided)
    body = _merged_body(versions.each(lambda note: note.body))
    gap = "\n" if head and not head.endswith("\n") and (above or body.text) else ""
    return Merged(head + gap + above + body.text, (*undecided, *body.conflicts))


def _merged_body(bodies: Three[str]) -> Merged:
    """The merged text below the header, and its new conflicts: those that neither side had already."""
    text = merge_text(bodies)
    if text is None:
        return Merged(*order.merge_lines(bodies))
    known = {found.conflict for side in (bodies.ours, bodies.theirs) for found in conflict.find(side)}
    return Merged(text, tuple(found.conflict for found in conflict.find(text) if found.conflict not in known))


def _version(text: str) -> _Version:
    return _Version(text, header.split(text, ""))


def _are_two(ours: Header, theirs: Header) -> bool:
    ids = as_text(ours.meta.get("id")), as_text(theirs.meta.get("id"))
    return all(ids) and ids[0] != ids[1]


def _two(ours: str, theirs: str) -> Merged:
    """Two memories with the same name. One holds the other as a conflict: only a caller can rename one."""
    kept, moved = namesake(ours, theirs)
    found = MergeConflict(conflict.MEMORY, *(("", moved) if kept == ours else (moved, "")))
    head = _version(kept).head
    at = 0 if head.broken else head.body_start
    return Merged(kept[:at] + conflict.render(found) + kept[at:], (found,), is_two=True)


def _merged_head(notes: Three[_Version]) -> tuple[str, tuple[MergeConflict, ...]] | None:
    """The merged header and its conflicts; None if it cannot be merged by property."""
    heads = notes.each(lambda note: note.text[: note.head.body_start])
    if any(note.head.broken for note in notes):
        return None
    if len(set(heads)) < 3:
        return pick(heads), ()
    if "bold" in (notes.ours.head.form, notes.theirs.head.form):
        return None
    base, ours, theirs = notes.each(lambda note: note.block)
    if ours is not None and theirs is not None:
        merged = merge_blocks(Three(base or RawBlock({}, ""), ours, theirs))
        head = _around(merged, notes)
        if _reads_as(head, merged):
            return head, merged.conflicts
    return _whole_head(notes.ours, notes.theirs)


def _whole_head(ours: _Version, theirs: _Version) -> tuple[str, tuple[MergeConflict, ...]]:
    """The header of the later note, for headers too unusual to be merged; the other one is a conflict."""
    heads = [
        (moments.normal(note.head.meta.get("updated")), note.text[: note.head.body_start])
        for note in (ours, theirs)
    ]
    lines = (note.text[note.head.start : note.head.end] for note in (ours, theirs))
    return max(heads)[1], (MergeConflict(conflict.PROPERTY, *lines),)


def _around(merged: MergedBlock, notes: Three[_Version]) -> str:
    """Merged properties between the opening and closing lines that the sides have around them."""
    if not merged.text:
        return ""
    frames = [
        (note.text[: note.head.start], note.text[note.head.end : note.head.body_start])
        for note in notes
        if note.head.form == "frontmatter" and not note.head.broken
    ]
    above, below = pick(Three(*frames)) if len(frames) == 3 else max(frames)
    return above + merged.text + below


def _reads_as(head: str, merged: MergedBlock) -> bool:
    """Whether a merged header parses to the merged values."""
    again = header.split(head, "")
    return not again.broken and frontmatter.is_same(again.meta, merged.meta)


# -- line ends ---------------------------------------------------------------------------------------------


def _bare(text: str) -> str:
    return text.removeprefix(_BOM)


def _plain(text: str) -> str:
    return _bare(text).replace("\r\n", "\n")


def _line_end(texts: Three[str]) -> str:
    """The line end of the merged text; "" if a version mixes both kinds, so that each line has to keep its own."""
    ends = texts.each(_end_of)
    if None in ends:
        return ""
    old, left, right = ends.each(lambda end: end or "")
    return pick(Three(old, left or right, right or left), both=min) or "\n"


def _end_of(text: str) -> str | None:
    """The line end of a text, "" if it has none, None if it mixes both kinds."""
    windows, all_ends = text.count("\r\n"), text.count("\n")
    if 0 < windows < all_ends:
        return None
    return "\r\n" if windows else "\n" if all_ends else ""
