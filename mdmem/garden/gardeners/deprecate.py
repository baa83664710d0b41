"""Deprecate: a note that another one supersedes is marked as such, or deleted if that is authorised.

A property (`supersedes`, `superseded_by`) or, beside a link, the text of either note says that it is superseded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import Problem
from mdmem.garden.gardeners.edits import Workspace, parting
from mdmem.garden.gardeners.note import Ground, Note, target_of
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings, Proposal, attempt
from mdmem.language import replacement
from mdmem.language.sureness import SURE
from mdmem.note import dates
from mdmem.store.index.edges import fold_target

_STAYS = frozenset({"retracted", "contested"})  # statuses that a person or a conflict gave a note
_MARKED = SURE["successor.marked"]


class _Heir(NamedTuple):
    """A note that supersedes another, the lines that say so, and how sure that is (0-1)."""

    note: Note
    evidence: tuple[Evidence, ...]
    sure: float


_Heirs = Mapping[str, Mapping[str, _Heir]]  # path of a superseded note -> path of an heir -> the heir


def plan(ground: Ground, settings: GardenSettings, today: datetime) -> Iterator[Found]:
    """Proposals to deprecate notes that are superseded by their own word or their successor's.

    The word may be a property or part of the text. Episodes stay as they are, since what happened, happened.
    """
    known = _known(ground, today)
    for old in ground.notes:
        if old.path not in known or old.broken or old.text("status") in _STAYS or old.is_episode:
            continue
        heir = max(known[old.path].values(), key=lambda heir: (heir.sure, heir.note.age_order))
        if _is_in_circle(old.path, known):
            fix = "take the link out of one of them"
            message = f"and {heir.note.name} say that they supersede each other"
            yield Problem("supersedes-circle", old.path, 1, message, fix)
        else:
            yield attempt("deprecate", old.path, _proposal, ground, old, heir, settings.authorise_delete)


def _known(ground: Ground, today: datetime) -> _Heirs:
    """The heirs of each note that has any, with all that says so."""
    found: defaultdict[str, dict[str, _Heir]] = defaultdict(dict)
    for note in ground.notes:
        for old, heir, why, sure in (*_marked(ground, note), *_told(ground, note, today)):
            known = found[old.path].get(heir.path, _Heir(heir, (), 0))
            evidence = dict.fromkeys((*known.evidence, why))
            found[old.path][heir.path] = _Heir(heir, tuple(evidence), max(known.sure, sure))
    return found


_Case = tuple[Note, Note, Evidence, float]  # the superseded note, its heir, what says so, how sure that is


def _marked(ground: Ground, note: Note) -> Iterator[_Case]:
    """What the properties of a note say."""
    for key in ("supersedes", "superseded_by"):
        for other in filter(None, map(ground.one, note.targets(key))):
            old, heir = (other, note) if key == "supersedes" else (note, other)
            if old is not heir and heir.status != "retracted":
                yield old, heir, Evidence(note.path, note.line_of(key), f"{key}: [[{other.name}]]"), _MARKED


def _told(ground: Ground, note: Note, today: datetime) -> Iterator[_Case]:
    """What the text of a note says beside links, but for what takes effect on a future day."""
    if note.broken or note.status == "retracted" or all(kind != "mentions" for _, kind, _ in note.links):
        return
    for claim in replacement.claims(note.body):
        other = ground.one(fold_target(claim.target))
        is_ahead = any(day > today.date() for day in dates.whole_days(claim.sentence))
        if other is None or other is note or is_ahead:
            continue
        old, heir = (other, note) if claim.direction == replacement.OLD else (note, other)
        kind = "successor.told" if claim.is_sure and old.moment <= heir.moment else "successor.hinted"
        yield old, heir, Evidence(note.path, claim.line + note.body_line - 1, claim.sentence), SURE[kind]


def _is_in_circle(path: str, known: _Heirs) -> bool:
    """Whether a note is superseded by notes of which one, directly or not, is superseded by it."""
    seen: set[str] = set()
    todo = [path]
    while todo:
        heirs = known.get(todo.pop(), {}).keys() - seen
        seen.update(heirs)
        todo += heirs
    return path in seen


def _proposal(ground: Ground, old: Note, heir: _Heir, delete: bool) -> Proposal | None:
    work = Workspace(ground, "deprecate")
    name = heir.note.name
    is_marked = heir.sure >= _MARKED
    action, title, sure, lost = "deprecate", f"mark {old.name} as deprecated: {name} supersedes it", heir.sure, ""
    if delete and is_marked:
        action, title, sure = "delete", f"delete {old.name}, which {name} supersedes", SURE["successor.deleted"]
        lost = f"the text of {old.name} (mdmem restore {old.name} brings it back); {parting(ground, old, name)}"
        _delete(work, old, heir.note)
    elif old.text("status") != "deprecated":
        work.deprecate(old, name)
    return work.proposal(action, title, sure, heir.evidence, [old, heir.note], lost=lost, certain=is_marked)


def _delete(work: Workspace, old: Note, heir: Note) -> None:
    """Remove a note and redirect the links to it to its heir, whose `supersedes` no longer names it."""
    stem = fold_target(old.path)
    work.write(old, None)
    items = heir.items("supersedes")
    left = [item for item in items if target_of(item) != stem]
    if left != items:
        work.set(heir, supersedes=left or None)
    work.follow({old.path: heir.path}, keep=[heir.path])
