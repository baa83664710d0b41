"""The memories of a vault as files that other programs read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from posixpath import relpath
from typing import NamedTuple

from mdmem.errors import ConflictError, NoteError, Problem
from mdmem.note import fields, links
from mdmem.note.memory import Memory
from mdmem.note.yamltext import Value
from mdmem.store.index import edges
from mdmem.store.index.port import IndexedNote
from mdmem.store.local.files import replacing
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import entities, values
from mdmem.systems.importers.entities import FILE


class ExportedFiles(NamedTuple):
    """Path in the folder -> bytes, and problems with single notes."""

    files: Mapping[str, bytes]
    problems: tuple[Problem, ...]


def markdown(vault: Vault, wanted: Sequence[IndexedNote], progress: Progress) -> ExportedFiles:
    """Memories as Markdown with frontmatter, in their folders and with id, title and dates.

    `vault` is open with the clearance of what may leave it; names of memories that may not are removed from the
    texts. `progress` gets (done, total).
    """
    files: dict[str, bytes] = {}
    problems: list[Problem] = []
    for done, record in enumerate(wanted, 1):
        data = vault.shown(record.path)
        try:
            data = fields.to_frontmatter(data, _additions(record), record.path)
        except NoteError as error:
            message = f"is copied as it is: {error.problem.message}"
            problems.append(error.problem._replace(message=message, severity="warning"))
        files[relpath(record.path, vault.config.memories)] = data
        progress(done, len(wanted))
    return ExportedFiles(files, tuple(problems))


def _additions(record: IndexedNote) -> dict[str, Value]:
    """Properties that a note may leave to the history of the vault, but that another program has to be given."""
    dates: dict[str, Value] = {"created": record.created, "updated": record.updated}
    return {"id": record.id, "title": record.title, **{key: date for key, date in dates.items() if date}}


def graph(vault: Vault, wanted: Sequence[IndexedNote], progress: Progress) -> ExportedFiles:
    """Memories as entities of a knowledge graph: parts of their texts become observations, links become relations.

    `vault` is open with the clearance of what may leave it. `progress` gets (done, total).
    """
    names = _entity_names(wanted)
    rows: list[entities.Row] = []
    relations: dict[tuple[str, str, str], None] = {}
    problems: list[Problem] = []
    for done, record in enumerate(wanted, 1):
        try:
            note = vault.parse(vault.shown(record.path), record.path)
        except NoteError as error:
            problems.append(error.problem)
            continue
        name = names[edges.fold_target(record.path)]
        kind = note.text(f"{values.KEPT_AS}type") or note.type or "memory"
        rows.append(entities.entity(name, kind, _observations(note, names)))
        for target, predicate, _ in edges.edges(note, list(links.to_notes(note.body))):
            if names.get(target, name) != name:
                relations[name, names[target], predicate] = None
        progress(done, len(wanted))
    text = entities.text_of([*rows, *(entities.relation(*one) for one in relations)])
    return ExportedFiles({FILE: text.encode()}, tuple(problems))


def _entity_names(wanted: Sequence[IndexedNote]) -> dict[str, str]:
    """Folded name -> name of the entity: the title if no other memory has it, else the name of the memory."""
    titles = Counter(record.title for record in wanted)
    return {
        edges.fold_target(record.path): record.title if titles[record.title] == 1 else record.name
        for record in wanted
    }


def _observations(note: Memory, names: Mapping[str, str]) -> Iterator[str]:
    """What a note says, piece by piece, without its own title. Links are replaced by the names of entities."""

    def entity(place: links.LinkPlace) -> str | None:
        return names.get(edges.fold_target(place.target)) if place.wiki else None

    for piece in entities.observations_of(links.replace(note.body, entity)):
        said = piece.lstrip("#").strip() if piece.startswith("#") and "\n" not in piece else piece
        if said != note.title:
            yield said


def save(exported: ExportedFiles, folder: str) -> None:
    """Write the files into a folder that is new or empty: all of them or none.

    Raises ConflictError for a folder that holds something, UsageError for one that cannot be written.
    """
    folder = os.path.abspath(folder)
    with replacing(folder) as beside:
        if os.path.lexists(folder) and os.listdir(folder):
            raise ConflictError(f"{folder} is not empty; nothing was written", "name a new folder")
        os.mkdir(beside)
        for path, data in exported.files.items():
            place = os.path.join(beside, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "xb") as file:
                file.write(data)
