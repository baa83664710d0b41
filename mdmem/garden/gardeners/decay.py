"""Decay and prune: proposes to remove old memories, if policy allows it and nobody used, pinned or linked them.

Effective salience is computed for the given day and never written back. Only memories that have faded to nothing
(below 0.001) go; a salience floor above that keeps a memory until `max_age`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from mdmem.garden.gardeners.deprecate import line_of
from mdmem.garden.gardeners.edits import Workspace, parting
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings, Proposal, propose
from mdmem.garden.lapse import PLAIN_TYPES
from mdmem.language import likeness
from mdmem.language.lapse import passing
from mdmem.language.sureness import SURE
from mdmem.note import decay
from mdmem.note.memory import as_flag

_LONG = 500  # characters: a longer note says something
_KEPT = frozenset(("never", "manual_only"))  # policies by which only a person removes a note
_ADDED = frozenset(("memory", "note"))  # words that short names are padded with
_UNUSED = timedelta(days=90)  # a note that was not recalled for so long counts as unused


def plan(ground: Ground, settings: GardenSettings, today: datetime) -> Iterator[Found]:
    """Proposals to remove notes that have faded, or that say nothing."""
    del settings
    for note in ground.notes:
        case = _faded(ground, note, today) or _noise(ground, note)
        if case is None:
            continue
        work = Workspace(ground)
        work.write(note, None)
        lost = f"the text of {note.name} (mdmem restore {note.name} brings it back); {parting(ground, note)}"
        yield propose(case._replace(lost=lost), [note], work.changed)


def _faded(ground: Ground, note: Note, today: datetime) -> Proposal | None:
    """The case for removing a note whose salience has faded to nothing; None if there is none."""
    salience = _salience(note, today)
    if salience is None or salience >= decay.FADED or not _may_go(ground, note, today):
        return None
    age = (today - note.moment).days
    said = f"salience {salience:.3f} after {age} days, never linked"
    return _case(
        f"remove {note.name}, which has faded", "decay", Evidence(note.path, line_of(note, "decay"), said)
    )


def _noise(ground: Ground, note: Note) -> Proposal | None:
    """The case for removing a note that only tries out the keyboard or the program; None if there is none."""
    is_kept = note.text("deletion_policy") in _KEPT or as_flag(note.meta.get("pinned"))
    may_go = note.length <= _LONG and note.is_active and note.text("type") in PLAIN_TYPES and not is_kept
    if not (may_go and passing.is_noise(note.body)):
        return None
    tied = note.links or ground.linking(note)
    is_named = set(likeness.telling(note.title)) - set(likeness.telling(note.body)) - _ADDED
    if tied or is_named:
        return None
    return _case(
        f"remove {note.name}, which says nothing", "noise", Evidence(note.path, note.body_line, note.body)
    )


def _case(title: str, kind: str, why: Evidence) -> Proposal:
    return Proposal(
        id="",
        gardener="decay",
        action="delete",
        title=title,
        confidence=SURE[kind],
        evidence=(why,),
        certain=kind == "decay",
    )


def _salience(note: Note, today: datetime) -> float | None:
    """The effective salience of a note with `decay` settings and a date; None for any other."""
    if not isinstance(note.meta.get("decay"), dict) or not note.created:
        return None
    return decay.standing(note.meta, note.created, today)


def _may_go(ground: Ground, note: Note, today: datetime) -> bool:
    """Whether policy allows it, and no pin, link or recent recall keeps the note."""
    used = datetime.fromtimestamp(note.last_used, UTC) if note.last_used else None
    return (
        decay.may_be_pruned(note.meta)
        and not note.broken
        and not ground.linking(note)
        and (used is None or today - used > _UNUSED)
    )
