"""Other processes that read notes while this one fills the index, so that a full build uses every core."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext

from mdmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from mdmem.index.rows import NoteRows

AT_LEAST = 2_000  # notes: for fewer, starting the processes takes longer than they save


def reading(
    root: str, vault_id: str, paths: Iterable[str]
) -> AbstractContextManager[Callable[[str], NoteRows | None]]:
    """What gives the rows of notes, asked for in the order of `paths`; None for a note that is to be read here."""
    notes = list(paths)
    if len(notes) < AT_LEAST:
        return nullcontext(lambda _: None)
    from mdmem.index.workers.ahead import reading_ahead

    return reading_ahead(root, vault_id, notes)
