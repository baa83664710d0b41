"""Deprecate: a note that another one supersedes is marked as such, or deleted if that is authorised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from mdmem.errors import MdmemError, NoteError, Problem
from mdmem.garden.gardeners.edits import Workspace, parting
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import Argument, Evidence, Findings, GardenSettings, Proposal, propose
from mdmem.index.edges import fold_target
from mdmem.language.sureness import SURE
from mdmem.note import header, links, memory
from mdmem.note.appendonly import IMMUTABLE

_STAYS = frozenset({"retracted", "contested"})  # states a person or a conflict gave a note


def plan(notes: Sequence[Note], settings: GardenSettings, today: date) -> Findings:
    """What is superseded by its successor's word (`supersedes`) or its own (`superseded_by`).

    What happened stays what happened: an episode is not marked, nor removed.
    """
    del today
    ground = Ground(notes, settings.elsewhere)
    proposals, problems = [], []
    for old in sorted(notes, key=lambda note: note.path):
        stays = old.broken or old.text("status") in _STAYS or old.text("type") in IMMUTABLE
        heirs = [] if stays else _heirs(ground, old)
        if not heirs:
            continue
        if any(fold_target(heir.path) in _predecessors(ground, old) for heir in heirs):
            fix = "take the link out of one of them"
            message = f"and {heirs[0].name} say that they supersede each other"
            problems.append(Problem("supersedes-circle", old.path, 1, message, fix))
            continue
        try:
            found = _proposal(ground, old, heirs[0], settings.authorise_delete)
            proposals += [found] if found else []
        except NoteError as error:
            problems.append(error.problem)
        except MdmemError as error:
            problems.append(Problem("deprecate", old.path, 0, error.message, error.hint, "warning"))
    return Findings(tuple(proposals), tuple(problems))


def _heirs(ground: Ground, old: Note) -> list[Note]:
    """The notes that supersede a note, the newest first."""
    stem = fold_target(old.path)
    found = {note.path: note for note in ground.linking(old) if stem in note.targets("supersedes")}
    found = {path: note for path, note in found.items() if ground.one(stem) and note.status != "retracted"}
    for target in old.targets("superseded_by"):
        heir = ground.one(target)
        if heir is not None and heir.path != old.path:
            found[heir.path] = heir
    return sorted(found.values(), key=lambda note: note.age_order, reverse=True)


def _predecessors(ground: Ground, old: Note) -> set[str]:
    """What a note supersedes, directly or not."""
    seen: set[str] = set()
    todo = old.targets("supersedes")
    while todo:
        target = todo.pop()
        note = ground.one(target)
        if target not in seen and note is not None:
            seen.add(target)
            todo += note.targets("supersedes")
    return seen


def _proposal(ground: Ground, old: Note, heir: Note, delete: bool) -> Proposal | None:
    work = Workspace(ground)
    evidence = tuple(_evidence(old, heir))
    if delete:
        gone = parting(ground, old, heir.name)
        _delete(work, old, heir)
        what = Argument(
            gardener="deprecate",
            action="delete",
            title=f"delete {old.name}, which {heir.name} supersedes",
            confidence=SURE["successor.deleted"],
            evidence=evidence,
            lost=f"the text of {old.name} (mdmem restore {old.name} brings it back); {gone}",
        )
        return propose(what, [old, heir], work.changed)
    if old.text("status") == "deprecated":
        return None
    work.deprecate(old, heir.name)
    title = f"mark {old.name} as deprecated: {heir.name} supersedes it"
    case = Argument(
        gardener="deprecate",
        action="deprecate",
        title=title,
        confidence=SURE["successor.marked"],
        evidence=evidence,
    )
    return propose(case, [old, heir], work.changed)


def _delete(work: Workspace, old: Note, heir: Note) -> None:
    """Remove a note; links to it lead to its heir, which no longer names it."""
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
