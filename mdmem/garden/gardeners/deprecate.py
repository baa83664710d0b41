"""Deprecate: a note that another one supersedes is marked as such, or deleted if that is authorised.

A property (`supersedes`, `superseded_by`) or, beside a link, the text of either note says that it is superseded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import Problem
from mdmem.garden.gardeners.edits import Workspace, parting
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import (
    Evidence,
    Found,
    GardenSettings,
    Proposal,
    attempt,
)
from mdmem.language.replacement import claims
from mdmem.language.replacement.claims import ReplacementClaim
from mdmem.language.replacement.grammar import OLD
from mdmem.language.sureness import SURE
from mdmem.note import dates, header, links, memory
from mdmem.store.appendonly import IMMUTABLE
from mdmem.store.index.edges import fold_target

_STAYS = frozenset({"retracted", "contested"})  # statuses that a person or a conflict gave a note


class _Heir(NamedTuple):
    """A note that supersedes another, the lines that say so, and how sure that is (0-1)."""

    note: Note
    evidence: tuple[Evidence, ...]
    sure: float


def plan(ground: Ground, settings: GardenSettings, today: datetime) -> Iterator[Found]:
    """Proposals to deprecate notes that are superseded by their own word or their successor's.

    The word may be a property or part of the text. Episodes stay as they are, since what happened, happened.
    """
    told = _told(ground, today)
    before = _before(told)
    for old in ground.notes:
        stays = old.broken or old.text("status") in _STAYS or old.text("type") in IMMUTABLE
        heirs = [] if stays else _heirs(ground, old, told.get(old.path, []))
        if not heirs:
            continue
        if any(fold_target(heir.note.path) in _predecessors(ground, old, before) for heir in heirs):
            fix = "take the link out of one of them"
            message = f"and {heirs[0].note.name} say that they supersede each other"
            yield Problem("supersedes-circle", old.path, 1, message, fix)
        else:
            yield attempt("deprecate", old.path, _proposal, ground, old, heirs[0], settings.authorise_delete)


def _told(ground: Ground, today: datetime) -> Mapping[str, list[_Heir]]:
    """Path of an old note -> its heirs, one for each sentence that names one."""
    found: dict[str, list[_Heir]] = defaultdict(list)
    for note in ground.notes:
        if note.broken or note.status == "retracted":
            continue
        for claim in claims_of(note):
            other = ground.one(fold_target(claim.target))
            if other is None or other.path == note.path or _is_ahead(claim, today):
                continue
            old, heir = (other, note) if claim.direction == OLD else (note, other)
            line = claim.line + note.body_line - 1
            kind = "successor.told" if claim.is_sure and old.moment <= heir.moment else "successor.hinted"
            found[old.path].append(_Heir(heir, (Evidence(note.path, line, claim.sentence),), SURE[kind]))
    return found


def claims_of(note: Note) -> list[claims.ReplacementClaim]:
    """The claims that a note's text makes, beside links, about which note replaces which."""
    has_link = any(kind == "mentions" for _, kind, _ in note.links)
    return list(claims.claims(note.body)) if has_link else []


def _is_ahead(claim: ReplacementClaim, today: datetime) -> bool:
    """Whether a sentence names a future day, on which it is yet to take effect."""
    return any(day > today.date() for day in dates.whole_days(claim.sentence))


def _heirs(ground: Ground, old: Note, told: Sequence[_Heir]) -> list[_Heir]:
    """The notes that supersede a note, the newest first."""
    stem = fold_target(old.path)
    found = {note.path: note for note in ground.linking(old) if stem in note.targets("supersedes")}
    found = {path: note for path, note in found.items() if ground.one(stem) and note.status != "retracted"}
    for target in old.targets("superseded_by"):
        heir = ground.one(target)
        if heir is not None and heir.path != old.path:
            found[heir.path] = heir
    marked = [_Heir(note, tuple(_evidence(old, note)), SURE["successor.marked"]) for note in found.values()]
    said = [_said(one, told) for one in told if one.note.path not in found]
    return sorted([*marked, *said], key=lambda heir: (heir.sure, heir.note.age_order), reverse=True)


def _said(one: _Heir, told: Sequence[_Heir]) -> _Heir:
    """The heir that a text names, with every sentence that names it."""
    same = [other for other in told if other.note.path == one.note.path]
    evidence = dict.fromkeys(why for other in same for why in other.evidence)
    return _Heir(one.note, tuple(evidence), max(other.sure for other in same))


def _before(told: Mapping[str, list[_Heir]]) -> Mapping[str, set[str]]:
    """Path of an heir -> the folded names of the notes that it supersedes according to texts."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, said in told.items():
        for one in said:
            found[one.note.path].add(fold_target(path))
    return found


def _predecessors(ground: Ground, old: Note, before: Mapping[str, set[str]]) -> set[str]:
    """The folded names of the notes that a note supersedes, directly or not."""
    seen: set[str] = set()
    todo = [old]
    while todo:
        note = todo.pop()
        for target in {*note.targets("supersedes"), *before.get(note.path, ())} - seen:
            older = ground.one(target)
            if older is not None:
                seen.add(target)
                todo.append(older)
    return seen


def _proposal(ground: Ground, old: Note, heir: _Heir, delete: bool) -> Proposal | None:
    work = Workspace(ground, "deprecate")
    name = heir.note.name
    is_marked = heir.sure >= SURE["successor.marked"]
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
    left = [
        item
        for item in heir.items("supersedes")
        if fold_target(links.wikilink_target(memory.as_text(item))) != stem
    ]
    if left != heir.items("supersedes"):
        work.set(heir, supersedes=left or None)
    work.follow({old.path: heir.path}, keep=[heir.path])


def _evidence(old: Note, heir: Note) -> Iterator[Evidence]:
    if fold_target(old.path) in heir.targets("supersedes"):
        yield Evidence(heir.path, line_of(heir, "supersedes"), f"supersedes: [[{old.name}]]")
    if fold_target(heir.path) in old.targets("superseded_by"):
        yield Evidence(old.path, line_of(old, "superseded_by"), f"superseded_by: [[{heir.name}]]")


def line_of(note: Note, key: str) -> int:
    """The line of a property in a note's file, 0 if it has none."""
    return header.property_line(note.data.decode("utf-8-sig"), key, note.body_line)
