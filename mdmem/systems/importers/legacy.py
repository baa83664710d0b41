"""Imports old memory trees (`brain/memory/allmemories`): planned as a whole, then written in one commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from posixpath import basename, dirname, splitext
from typing import NamedTuple

from mdmem.capture import candidates
from mdmem.errors import NoteError, Problem
from mdmem.note import fields, memory
from mdmem.note.header import CATEGORIES
from mdmem.note.memory import Memory
from mdmem.note.yamltext import Value
from mdmem.store.local import files, workers
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems import intake
from mdmem.systems.importers import folders, planning, values
from mdmem.systems.importers.linking import TreeRelinker
from mdmem.systems.importers.markdown import given_title
from mdmem.systems.importers.planning import SourceNote
from mdmem.systems.intake import ImportProblems, Intake, Item

_TREES = ("brain/memory/allmemories", "memory/allmemories", "allmemories")

write = intake.write

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


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> Intake:
    """Read the tree at or below `given` and plan the import. Nothing is written.

    Notes that hold a secret are left out unless `allow_secret`.
    `progress` gets (done, total) notes. Raises UsageError for a tree that belongs to the vault.
    """
    tree = _tree(vault, given)
    problems = ImportProblems()
    notes = _read_all(tree, sorted(folders.note_paths(tree, vault.root, problems)), problems, progress)
    known = {source: path for source, note in notes.items() if (path := _known(vault, note))}
    new = (note for source, note in notes.items() if source not in known)
    clean = intake.without_secrets(
        vault, new, lambda one: (one.note.path, one.given.decode("utf-8", "replace")), problems, allow_secret
    )

    distinct, repeated = intake.distinct(clean, lambda one: one.id)
    for one, other in repeated:
        message = f"has the id of {other.note.path}; left out"
        problems.left_out(one.note.path, message, "delete the id line of one of them")
    fresh = {one.note.path: one for one in distinct}
    places = planning.places_of(vault, {source: _as_given(one) for source, one in fresh.items()})
    relinker = TreeRelinker({**known, **places})
    items = []
    for source, path in sorted(places.items()):
        one = fresh[source]
        data = relinker.relinked(one.data, source)
        is_as_read = data == one.data and one.made.has_id and not one.made.problems  # problems name the path
        note = one.made._replace(path=path) if is_as_read else vault.parse(data, path)
        facts = {"source": source, "path": path, "renamed": one.name != memory.stem(path)}
        items.append(Item(path, data, facts, note))
        problems += planning.doubts(note, source)
    for source, path in known.items():
        here = memory.parse(relinker.relinked(notes[source].data, source), source)
        is_other = here.body.strip() != vault.get(path).body.strip()
        if is_other and notes[source].note.has_id:  # else its id follows from its text: the vault changed it
            problems.another_text(source, path)
    problems += [one._replace(line=0) for one in relinker.left]
    shown_tree = os.path.normpath(os.path.join(given, os.path.relpath(tree, os.path.realpath(given))))
    return Intake(tuple(items), known, tuple(sorted(folders.at(shown_tree, problems))))


# -- the tree ----------------------------------------------------------------------------------------------


def _tree(vault: Vault, given: str) -> str:
    """The absolute path of the folder of notes. Raises UsageError if it belongs to the vault."""
    top = os.path.realpath(given)
    inner = (os.path.join(top, *path.split("/")) for path in _TREES)
    tree = next((place for place in inner if os.path.isdir(place) and os.path.realpath(place) == place), top)
    folders.require_foreign(vault, tree, given)
    return tree


def _read_all(tree: str, sources: list[str], problems: ImportProblems, progress: Progress) -> dict[str, TreeNote]:
    """Path in the tree -> note; `problems` gets those of notes that cannot be read."""
    notes = {}
    with workers.shared_out(TASK, (tree,), sources) as read:
        for done, (source, note) in enumerate(zip(sources, read, strict=True), 1):
            if isinstance(note, TreeNote):
                notes[source] = note
            else:
                problems.append(note)
            progress(done, len(sources))
    return notes


# -- a note of it, converted: the part of an import that worker processes can do ------------------------------
#
# Header and name are repaired, the text is kept byte for byte.

TASK = f"{__name__}:of_file"  # its name for worker processes


class TreeNote(NamedTuple):
    """A note as it is in the tree, with its bytes (`given`), and converted: its new bytes, and those parsed."""

    note: Memory
    given: bytes
    data: bytes
    made: Memory
    id: str

    @property
    def name(self) -> str:
        """Its name in the tree."""
        return splitext(basename(self.note.path))[0]


def of_file(settings: Sequence[str], source: str) -> TreeNote | Problem:
    """Convert a note of the tree that `settings` name, or return its problem.

    A note without an id gets one derived from its path and text.
    """
    (tree,) = settings
    try:
        data = files.read(tree, source)
        note = memory.parse(data, source)
        identity = note.text("id") or memory.derived_id(f"{source}\n{data.decode('utf-8-sig')}", "legacy")
        new = converted(data, note, identity)
        made = memory.parse(new, source)
    except NoteError as error:
        return error.problem
    return TreeNote(note, data, new, made, identity)


def converted(data: bytes, note: Memory, identity: str) -> bytes:
    """The bytes of a note with frontmatter, missing properties, and dates, category and tags in the usual form.

    The text below the header keeps its bytes. Raises NoteError for a header that cannot be read.
    """
    additions: dict[str, Value] = {"id": identity, "title": given_title(note), "source": "import"}
    data = fields.to_frontmatter(data, additions, note.path)
    fixes: dict[str, Value] = {}
    if created := values.moment(note.meta.get("created")):
        fixes["created"] = created
    category = ", ".join(note.strings("category")).strip("[]").lower()
    if category in CATEGORIES:
        fixes["category"] = category
    if isinstance(note.meta.get("tags"), str):
        fixes["tags"] = list(candidates.tags_of(note.text("tags")))
    fixes = {key: new for key, new in fixes.items() if new != note.meta.get(key)}
    return fields.set_fields(data, fixes, note.path) if fixes else data


# -- where it goes -----------------------------------------------------------------------------------------


def _known(vault: Vault, one: TreeNote) -> str:
    """The path of the memory that this note already is, found by id, or by name and text; "" if there is none."""
    for record in vault.index.with_id(one.id):
        return record.path
    usual = intake.new_name(one.name, one.note.title, one.note.body, lambda _: False)
    for wanted in dict.fromkeys([one.name, usual]):
        for record in vault.index.named(wanted):
            if vault.get(record.path).body.strip() == one.note.body.strip():
                return record.path
    return ""


def _as_given(one: TreeNote) -> SourceNote:
    """A note as far as the name and the folder of its memory follow from it."""
    note = one.note
    properties = {**note.meta, "title": note.title}
    return SourceNote(note.path, note.body, properties, name=one.name, folder=dirname(note.path))
