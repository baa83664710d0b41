"""Settling the conflicts in a text: one side of each stays, and the markers go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MEMORY, PROPERTY, ConflictBlock
from mdmem.note import fields, memory, yaml12
from mdmem.note.yamltext import Value

OURS, THEIRS = "ours", "theirs"


class SettledText(NamedTuple):
    """A note without its conflicts. `moved` are memories with the same name, which have to be given another."""

    data: bytes
    moved: tuple[bytes, ...] = ()


def settled(data: bytes, side: str, path: str) -> SettledText:
    """The note with one side (OURS or THEIRS) of each of its conflicts.

    If the conflict is between two memories with the same name, the one on that side keeps it. Raises NoteError if
    the note is not text, or if its header cannot be edited.
    """
    text = memory.decode(data, path)
    bom = memory.BOM if data.startswith(memory.BOM) else b""
    blocks = list(conflict.find(text))
    others = [block for block in blocks if block.conflict.about == MEMORY]
    if others:
        return _named(bom, text, others[0], side)
    changes = dict(_properties(blocks, side))
    left = bom + _without(text, blocks, side).encode()
    return SettledText(fields.set_fields(left, changes, path) if changes else left)


def _named(bom: bytes, text: str, block: ConflictBlock, side: str) -> SettledText:
    """Two memories with the same name, one of which is embedded in the text of the other."""
    holder = (bom.decode() + _replaced(text, block, "")).encode()
    inner = (block.conflict.ours or block.conflict.theirs).encode()
    holds_side = not getattr(block.conflict, side)  # its own text is not in the conflict
    return SettledText(holder, (inner,)) if holds_side else SettledText(inner, (holder,))


def _properties(blocks: Iterable[ConflictBlock], side: str) -> Iterable[tuple[str, Value]]:
    for block in blocks:
        if block.conflict.about == PROPERTY:
            yield from yaml12.load(getattr(block.conflict, side)).items()


def _without(text: str, blocks: list[ConflictBlock], side: str) -> str:
    """The text with one side's lines in place of each conflict; a property's conflict is just removed."""
    for block in reversed(blocks):
        is_property = block.conflict.about == PROPERTY
        text = _replaced(text, block, "" if is_property else getattr(block.conflict, side))
    return text


def _replaced(text: str, block: ConflictBlock, lines: str) -> str:
    rows = text.split("\n")
    return "\n".join([*rows[: block.start], *lines.split("\n")[:-1], *rows[block.end :]])
