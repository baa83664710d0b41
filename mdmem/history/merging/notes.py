"""The three-way merge of notes: properties key by key, the text by sections, lines and bullets.

`merge` is pure. Which side is named first makes no difference, except to the order of sides in a conflict; merging
a merged text again changes nothing; and without conflicts, it makes no difference which two of three versions are
merged first. A note that cannot be parsed is merged line by line, as git does.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mdmem.history.merging import conflict, frontmatter, order
from mdmem.history.merging.conflict import MergeConflict
from mdmem.history.merging.frontmatter import RawBlock, merge_blocks
from mdmem.history.merging.order import Three, pick
from mdmem.history.merging.weave import merge_text
from mdmem.note import header, moments, scalars
from mdmem.note.header import Header
from mdmem.note.memory import as_text

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
    """A version of a note with `\n` line ends, and its header."""

    text: str
    head: Header

    @property
    def above(self) -> str:
        """Its header with the lines around it."""
        return self.text[: self.head.body_start]

    @property
    def block(self) -> RawBlock | None:
        """Its properties; None if their lines cannot be told apart."""
        if self.head.broken or self.head.form not in _READABLE:
            return None
        return frontmatter.read(self.text[self.head.start : self.head.end], self.head.meta)


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
    for key in {key for note in versions for key in note.head.meta}:
        values = [note.head.meta.get(key) for note in versions]
        is_list = all(value is None or isinstance(value, list) for value in values)
        if not is_list and len({*map(scalars.identity, values)}) == 3:
            return None
    merged = merge(base, ours, theirs)
    return None if merged.conflicts else merged.text


def namesake(ours: str, theirs: str) -> tuple[str, str]:
    """Of two memories with the same name: the text that keeps the name, and the other.

    The more sensitive one keeps it, since it may have to hold the other as a conflict; else the one created first.
    """

    def precedence(text: str) -> tuple[int, str, str]:
        meta = _version(_plain(text)).head.meta
        return -frontmatter.sensitivity(meta.get("sensitivity")), moments.normal(meta.get("created")) or "~", text

    kept, moved = sorted((ours, theirs), key=precedence)
    return kept, moved


def _merged(texts: Three[str], has_past: bool) -> Merged:
    versions = texts.each(_version)
    ids = [as_text(note.head.meta.get("id")) for note in versions[1:]]
    if not has_past and all(ids) and ids[0] != ids[1]:
        return _two(texts.ours, texts.theirs)
    if any(note.head.broken for note in versions):
        return Merged(*order.merge_lines(texts))
    heads = versions.each(lambda note: note.above)
    found: tuple[str, Sequence[MergeConflict]] | None = (
        (pick(heads), ()) if len(set(heads)) < 3 else _head(versions)
    )
    if found is None:
        return Merged(*order.merge_lines(texts))
    head, undecided = found
    above = "".join(map(conflict.render, undecided))
    merged = _body(versions.each(lambda note: note.text[note.head.body_start :]))
    gap = "\n" if head and not head.endswith("\n") and (above or merged.text) else ""
    return Merged(head + gap + above + merged.text, (*undecided, *merged.conflicts))


def _body(bodies: Three[str]) -> Merged:
    """The merged text below the header, and its new conflicts: those that neither side had already."""
    text = merge_text(bodies)
    if text is None:
        return Merged(*order.merge_lines(bodies))
    known = {block.conflict for side in bodies[1:] for block in conflict.find(side)}
    found = (block.conflict for block in conflict.find(text))
    return Merged(text, tuple(each for each in found if each not in known))


def _version(text: str) -> _Version:
    return _Version(text, header.split(text, ""))


def _two(ours: str, theirs: str) -> Merged:
    """Two memories with the same name. One holds the other as a conflict: only a caller can rename one."""
    kept, moved = namesake(ours, theirs)
    found = MergeConflict(conflict.MEMORY, *(("", moved) if kept == ours else (moved, "")))
    head = _version(kept).head
    at = 0 if head.broken else head.body_start
    return Merged(kept[:at] + conflict.render(found) + kept[at:], (found,), is_two=True)


def _head(notes: Three[_Version]) -> tuple[str, Sequence[MergeConflict]] | None:
    """Three different headers merged, and the conflicts; None if that cannot be done by property.

    Of headers too unusual for that, the later note's stays, and the other one is a conflict.
    """
    _, ours, theirs = notes
    if "bold" in (ours.head.form, theirs.head.form):
        return None
    blocks = notes.each(lambda note: note.block)
    if blocks.ours is not None and blocks.theirs is not None:
        merged = merge_blocks(Three(blocks.base or RawBlock({}, ""), blocks.ours, blocks.theirs))
        head = merged.text
        if head:  # between the opening and closing lines that the sides have
            framed = [note for note in notes if note.head.form == "frontmatter"]
            frames = [(note.text[: note.head.start], note.above[note.head.end :]) for note in framed]
            opening, closing = pick(Three(*frames)) if len(frames) == 3 else max(frames)
            head = opening + head + closing
        again = header.split(head, "")
        if not again.broken and scalars.is_same(again.meta, merged.meta):
            return head, merged.conflicts
    lines = [note.text[note.head.start : note.head.end] for note in (ours, theirs)]
    later = max((ours, theirs), key=lambda note: (moments.normal(note.head.meta.get("updated")), note.above))
    return later.above, [MergeConflict(conflict.PROPERTY, *lines)]


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
