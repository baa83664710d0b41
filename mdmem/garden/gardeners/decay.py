"""Decay and prune: proposes to remove old memories that policy allows and nobody used, pinned or linked.

Effective salience is computed for the given day and never written back. Only memories that have faded to nothing
(below 0.001) go; a salience floor above that keeps a memory until `max_age`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from mdmem.garden.gardeners.deprecate import line_of
from mdmem.garden.gardeners.edits import Workspace, parting
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import Argument, Evidence, Findings, GardenSettings, propose
from mdmem.language.sureness import SURE
from mdmem.note import decay

_UNUSED = timedelta(days=90)  # without a recall for so long a note counts as unused


def plan(notes: Sequence[Note], settings: GardenSettings, today: datetime) -> Findings:
    """Removals of faded notes."""
    ground = Ground(notes, settings.elsewhere)
    proposals = []
    for note in sorted(notes, key=lambda one: one.path):
        salience = _salience(note, today)
        if salience is None or salience >= decay.FADED or not _may_go(ground, note, today):
            continue
        work = Workspace(ground)
        work.write(note, None)
        age = (today - note.moment).days
        why = Evidence(
            note.path, line_of(note, "decay"), f"salience {salience:.3f} after {age} days, never linked", 1.0
        )
        lost = f"the text of {note.name} (mdmem restore {note.name} brings it back); {parting(ground, note)}"
        case = Argument(
            gardener="decay",
            action="delete",
            title=f"remove {note.name}, which has faded",
            confidence=SURE["decay"],
            evidence=(why,),
            lost=lost,
        )
        found = propose(case, [note], work.changed)
        proposals += [found] if found else []
    return Findings(tuple(proposals))


def _salience(note: Note, today: datetime) -> float | None:
    """The effective salience of a note that has a way to decay; None for any other."""
    if not isinstance(note.meta.get("decay"), dict) or not note.created:
        return None
    return decay.standing(note.meta, note.created, today)


def _may_go(ground: Ground, note: Note, today: datetime) -> bool:
    """Whether policy allows it, and nothing holds the note: a pin, a link, a recall of late."""
    used = datetime.fromtimestamp(note.last_used, UTC) if note.last_used else None
    return (
        decay.may_be_pruned(note.meta)
        and not note.broken
        and not ground.linking(note)
        and (used is None or today - used > _UNUSED)
    )
