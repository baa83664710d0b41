"""Notes that are generated from other notes by rule, such as chapters of works, and are out of date."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from datetime import datetime

from mdmem.garden.gardeners.note import Ground
from mdmem.garden.gardeners.proposal import (
    Evidence,
    FileEdit,
    Found,
    GardenSettings,
    Proposal,
    digest,
)
from mdmem.language.sureness import SURE
from mdmem.note.plural import counted
from mdmem.store.registry import StaleNote

_SHOWN = 3  # lines that are shown as evidence


def plan(ground: Ground, settings: GardenSettings, now: datetime) -> Iterator[Found]:
    """A proposal for each note that is out of date: generate its part again, and keep what a person wrote."""
    del ground, now
    yield from map(_proposal, settings.stale)


def _proposal(page: StaleNote) -> Proposal:
    gone = list(_gone(page))
    return Proposal(
        id=digest(b"\0".join([b"refresh", page.path.encode(), page.before, page.after]))[:12],
        gardener="refresh",
        action="revise",
        title=f"make {page.name} again: what it is made of has changed",
        confidence=SURE["made.stale"],
        evidence=tuple(gone[:_SHOWN]) or (Evidence(page.path, 0, "does not tell all that it is made of"),),
        edits=(FileEdit(page.path, page.before, page.after),),
        lost=f"{counted(len(gone), 'line')} that rested on what they no longer rest on" if gone else "",
        rests_on=page.sources,
        certain=True,
    )


def _gone(page: StaleNote) -> Iterator[Evidence]:
    """The lines that the note would no longer have."""
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (page.before, page.after))
    for tag, first, last, _, _ in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag in ("replace", "delete"):
            for line in range(first, last):
                yield Evidence(page.path, line + 1, before[line])
