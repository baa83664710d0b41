"""The note that replaces a purged memory: it says that there was one, and when it was purged."""

from __future__ import annotations

from mdmem.errors import NotFoundError
from mdmem.note.memory import Memory

TITLE = "Purged memory"
_DAY = "purged"  # the property that holds the day


def written(id: str, day: str) -> bytes:
    """The bytes of the note for a memory that was purged on a day (`2026-03-01`)."""
    return f"---\nid: {id}\ntitle: {TITLE}\n{_DAY}: {day}\n---\n".encode()


def purged_on(note: Memory) -> str:
    """The day on which a memory was purged, "" if it was not."""
    return str(note.meta.get(_DAY, "")) if note.title == TITLE and not note.body.strip() else ""


def require_content(name: str, day: str) -> None:
    """Raise NotFoundError for a memory that was purged on `day`; "" means that it was not."""
    if day:
        raise NotFoundError(
            f"{name} was purged on {day}", "a purge is not undone; mdmem log tells who wrote it when"
        )
