"""Imports old memory trees (`brain/memory/allmemories`): planned as a whole, then written in one commit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import dirname
from typing import Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import memory
from mdmem.note.memory import Memory
from mdmem.store.local import workers
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import folders, names, planning, values
from mdmem.systems.importers.linking import TreeRelinker
from mdmem.systems.importers.presence import PresentMemories
from mdmem.systems.legacy import header, reading
from mdmem.systems.legacy.reading import TreeNote
from mdmem.write.guard import secrets_in

_TREES = ("brain/memory/allmemories", "memory/allmemories", "allmemories")


NOUN = "memory"
TAKES = "folder"
HELP = """Copy the notes of an old memory tree into the vault, in one commit.

PATH is brain/memory/allmemories, or a folder around it. **Created:** and the other fields become
properties, texts keep their bytes. Names are adapted to the protocol, and links between the notes follow.
What is already there is skipped: importing again changes nothing. Symbolic links are not followed.

To work in such a tree without converting it: mdmem init --memories brain/memory/allmemories

\b
Examples:
  mdmem import legacy ~/rlm-mem/brain --dry-run
  mdmem import legacy ~/rlm-mem/brain/memory/allmemories
"""


class ImportedLegacyNote(NamedTuple):
    """A note to import: its path in the tree, its path in the vault, its bytes there, and the parsed note."""

    source: str
    path: str
    data: bytes
    note: Memory

    @property
    def renamed(self) -> bool:
        return header.old_name(self.source) != memory.stem(self.path)

    @property
    def facts(self) -> dict[str, Any]:
        """The note's fields in JSON output."""
        return {"source": self.source, "path": self.path, "renamed": self.renamed}


class LegacyImportPlan(NamedTuple):
    """What an import would do. `known` maps the old paths of notes that exist already to paths in the vault.

    Problems of severity error are about notes left out; warnings are about anything else a person should know.
    """

    items: tuple[ImportedLegacyNote, ...]
    known: Mapping[str, str]
    problems: tuple[Problem, ...]


def plan(
    vault: Vault, given: str, progress: Callable[[int, int], None], allow_secret: bool = False
) -> LegacyImportPlan:
    """Read the tree at or below `given` and plan the import. Nothing is written.

    Notes that hold a secret are left out unless `allow_secret`.
    `progress` gets (done, total) notes. Raises UsageError for a tree that belongs to the vault.
    """
    tree = _tree(vault, given)
    problems: list[Problem] = []
    notes = _read_all(tree, sorted(folders.note_paths(tree, vault.root, problems)), problems, progress)
    present = PresentMemories(vault, len(notes))
    known = {source: path for source, note in notes.items() if (path := _known(vault, present, note))}
    new = {source: note for source, note in notes.items() if source not in known}
    if not allow_secret:
        leaks = secrets_in(vault, [(source, note.text) for source, note in new.items()])
        problems += leaks.values()
        new = {source: note for source, note in new.items() if source not in leaks}
    fresh = _distinct(new, problems)
    places = _places(vault, present, fresh)
    relinker = TreeRelinker({**known, **places})
    items = []
    for source, path in sorted(places.items()):
        data = relinker.relinked(fresh[source].data, source)
        items.append(ImportedLegacyNote(source, path, data, _placed(vault, fresh[source], data, path)))
        problems += planning.doubts(items[-1].note, source)
    for source, path in known.items():
        if not notes[source].note.has_id:
            continue  # its id is derived from its text, so any difference is a change made in the vault
        problems += _differences(vault, relinker.relinked(notes[source].data, source), source, path)
    problems += [planning.ambiguous(source, target) for source, target in relinker.ambiguous]
    shown_tree = os.path.normpath(os.path.join(given, os.path.relpath(tree, os.path.realpath(given))))
    shown = sorted(problem._replace(path=os.path.join(shown_tree, problem.path)) for problem in problems)
    return LegacyImportPlan(tuple(items), known, tuple(shown))


def write(vault: Vault, planned: LegacyImportPlan, caller: Caller, reason: str = "") -> str:
    """Write a plan in one commit and return its id, "" if there was nothing to do.

    Raises ConflictError if one of the paths has been taken since.
    """
    with vault.change(caller.does("import", reason)) as tx:
        for item in planned.items:
            planning.stage(tx, item.path, item.data, item.note)
    return tx.commit


# -- the tree ----------------------------------------------------------------------------------------------


def _tree(vault: Vault, given: str) -> str:
    """The absolute path of the folder of notes. Raises UsageError if it belongs to the vault."""
    top = os.path.realpath(given)
    inner = (os.path.join(top, *path.split("/")) for path in _TREES)
    tree = next((place for place in inner if os.path.isdir(place) and os.path.realpath(place) == place), top)
    folders.require_foreign(vault, tree, given)
    return tree


def _read_all(
    tree: str, sources: Sequence[str], problems: list[Problem], progress: Callable[[int, int], None]
) -> dict[str, TreeNote]:
    """Path in the tree -> note; `problems` gets those of notes that cannot be read."""
    notes = {}
    with workers.shared_out(reading.TASK, (tree,), sources) as read:
        for done, (source, note) in enumerate(zip(sources, read, strict=True), 1):
            if isinstance(note, TreeNote):
                notes[source] = note
            else:
                problems.append(note)
            progress(done, len(sources))
    return notes


def _placed(vault: Vault, one: TreeNote, data: bytes, path: str) -> Memory:
    """The note parsed at its new path; parsed again only if links were changed, or problems name its path."""
    if data != one.data or one.made.problems or not one.made.has_id:
        return vault.parse(data, path)
    return one.made._replace(path=path)


# -- where it goes -----------------------------------------------------------------------------------------


def _known(vault: Vault, present: PresentMemories, one: TreeNote) -> str:
    """The path of the memory that this note already is, found by id, or by name and text; "" if there is none."""
    for record in present.with_id(one.id):
        return record.path
    name = header.old_name(one.note.path)
    for wanted in dict.fromkeys([name, header.new_name(one.note, lambda _: False)]):
        for record in present.named(wanted):
            if vault.get(record.path).body.strip() == one.note.body.strip():
                return record.path
    return ""


def _distinct(notes: dict[str, TreeNote], problems: list[Problem]) -> dict[str, TreeNote]:
    """The notes by path, without those whose id an earlier note has."""
    first: dict[str, str] = {}
    for source, one in notes.items():
        if first.setdefault(one.id, source) != source:
            message = f"has the id of {first[one.id]}; left out"
            problems.append(Problem("import", source, 0, message, "delete the id line of one of them"))
    return {source: notes[source] for source in sorted(first.values())}


def _places(vault: Vault, present: PresentMemories, notes: Mapping[str, TreeNote]) -> dict[str, str]:
    """The path in the vault for each note. Good names are assigned first, so that no repaired name takes them."""
    used: set[str] = set()
    order = sorted(notes, key=lambda source: (not names.is_good(header.old_name(source)), source))
    return {source: _place(vault, present, notes[source].note, used) for source in order}


def _place(vault: Vault, present: PresentMemories, note: Memory, used: set[str]) -> str:
    """A free path for a note; its name is added to `used`."""
    created = values.moment(note.meta.get("created"))

    def taken(name: str) -> bool:
        path = planning.path_within(vault, name, dirname(note.path), created)
        is_file = os.path.lexists(os.path.join(vault.root, path))  # such as a note that cannot be read
        return memory.fold(name) in used or is_file or present.is_taken(name)

    name = header.new_name(note, taken)
    used.add(memory.fold(name))
    return planning.path_within(vault, name, dirname(note.path), created)


def _differences(vault: Vault, data: bytes, source: str, path: str) -> Iterator[Problem]:
    """A warning if a note of the tree differs from the memory that has the id written in it."""
    there, here = vault.get(path), memory.parse(data, source)
    if there.body.strip() != here.body.strip():
        message = f"is in the vault as {path}, with another text; that one stays"
        yield Problem("import", source, 0, message, "compare them, and mdmem edit it if need be", "warning")
