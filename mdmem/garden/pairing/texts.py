"""The text of a note in the forms in which it is compared with others."""

from __future__ import annotations

from mdmem.garden.gardeners.note import Note
from mdmem.language import likeness as wording
from mdmem.language.alignment import reading
from mdmem.note import pieces

_PLENTY = 400  # characters; the words of a longer body need no counting
_ENOUGH = 3  # content words of a body that says enough without its title


def titled(note: Note) -> str:
    """The title and the body of a note; the body does not repeat the title."""
    return f"{note.title}.\n{pieces.without_title(note.body, note.title)}"


def indexed(note: Note) -> str:
    """The text by which a note is found: title, body and tags, which often name what others say outright."""
    tags = " ".join(note.tags).replace("-", " ").replace("_", " ").replace("/", " ")
    return f"{titled(note)}\n{tags}"


def roots(note: Note) -> tuple[str, ...]:
    """The roots of the text by which a note is found."""
    return tuple(reading.telling(indexed(note)))


def said(note: Note) -> str:
    """The body of a note, and its title, too, if the body says too little."""
    body = pieces.without_title(note.body, note.title)
    return body if len(body) > _PLENTY or wording.tells(body, _ENOUGH) else titled(note)
