"""What a note says, as it is compared with others."""

from __future__ import annotations

from mdmem.garden.gardeners.note import Note
from mdmem.language import likeness as wording
from mdmem.language.alignment import reading
from mdmem.note import pieces

_PLENTY = 400  # characters of a body that are enough without counting
_ENOUGH = 3  # content words of a body that stand for themselves


def titled(note: Note) -> str:
    """What a note says, its title first."""
    return f"{note.title}.\n{pieces.without_title(note.body, note.title)}"


def indexed(note: Note) -> str:
    """What a note is found by: its text and its tags, which often name what another note says outright."""
    tags = " ".join(note.tags).replace("-", " ").replace("_", " ").replace("/", " ")
    return f"{titled(note)}\n{tags}"


def roots(note: Note) -> tuple[str, ...]:
    """The roots of what a note is found by."""
    return tuple(reading.telling(indexed(note)))


def said(note: Note) -> str:
    """The body, and the title, too, where the body says too little."""
    body = pieces.without_title(note.body, note.title)
    return body if len(body) > _PLENTY or wording.tells(body, _ENOUGH) else titled(note)
