"""The memories of a vault as MemoryRecords, and these as JSON for other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from mdmem.errors import NoteError, Problem
from mdmem.note import decay, moments
from mdmem.note.memory import as_text
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import audit, record
from mdmem.systems.membrane.audit import RecordHistory
from mdmem.systems.membrane.record import Record, Surroundings


class RecordView(NamedTuple):
    """A memory as a record: `value` is its JSON object, `problems` what keeps it from being valid."""

    path: str
    value: Record
    problems: tuple[Problem, ...]


class RecordSummary(NamedTuple):
    """A memory with its record type, its scope, and its effective salience (0 up)."""

    note: IndexedNote
    type: str
    scope: str
    salience: float


class VaultRecords:
    """The records of a vault, read from its notes."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._notes = list(vault.index.records())
        self._by_target: dict[str, str] = {}
        for one in self._notes:
            self._by_target.setdefault(fold_target(one.path), record.identity_of(one.id))
            self._by_target[one.path.removesuffix(".md")] = record.identity_of(one.id)

    def summaries(self, now: datetime) -> Iterator[RecordSummary]:
        """A summary of each record, by path, from the index alone."""
        for one in self._notes:
            salience = decay.standing(one.meta, one.created, now)
            type = RECORD_TYPES_OF.get(one.type, "semantic")
            yield RecordSummary(one, type, as_text(one.meta.get("scope")), salience)

    def all(
        self,
        wanted: Callable[[IndexedNote], bool] = lambda _: True,
        progress: Progress = silent,
    ) -> Iterator[RecordView]:
        """Every record that is `wanted`, by path. A note that cannot be read has only problems and no value."""
        chosen = [one for one in self._notes if wanted(one)]
        histories = audit.of_all(self.vault, {one.path: one.id for one in self._notes})
        for done, one in enumerate(chosen, 1):
            yield self._view(one, histories.get(one.id, RecordHistory()))
            progress(done, len(chosen))

    def one(self, note: IndexedNote) -> RecordView:
        """The record of a memory."""
        return self._view(note, audit.of_memory(self.vault, note.path, note.id))

    @cached_property
    def by_id(self) -> dict[str, IndexedNote]:
        """Lower-case record id -> memory; UUIDs are compared without case (RFC 9562, section 4)."""
        return {record.identity_of(note.id).lower(): note for note in self._notes}

    def problems(self, path: str, data: bytes, created: str) -> list[Problem]:
        """What keeps the bytes of a note from being a valid record.

        `created` (RFC 3339) is used if the note does not state when it was created.
        """
        note = self.vault.parse(data, path)
        made = note.created or created
        around = Surroundings(made, made, {"kind": "artifact", "ref": path}, self.id_of)
        return [one for one in record.checked(data, note, around)[1] if one.severity == "error"]

    def id_of(self, target: str) -> str:
        """The id of the record that a wikilink refers to, "" if there is none."""
        return self._by_target.get(target) or self._by_target.get(fold_target(target), "")

    def link_of(self, id: str) -> str:
        """A wikilink to the record with that id, "" if there is none."""
        note = self.by_id.get(id.lower())
        if note is None or record.identity_of(note.id) != id:
            return ""
        is_first = self._by_target.get(fold_target(note.path)) == id
        return f"[[{note.name if is_first else note.path.removesuffix('.md')}]]"

    def _view(self, note: IndexedNote, history: RecordHistory) -> RecordView:
        try:
            data = self.vault.shown(note.path)
            read = self.vault.parse(data, note.path)
        except NoteError as error:
            return RecordView(note.path, {}, (error.problem,))
        updated, source = note.updated or note.created, _source(note, history)
        around = Surroundings(note.created, updated, source, self.id_of, history.log)
        value, problems = record.checked(data, read, around)
        return RecordView(note.path, value, tuple(problems))


def _source(note: IndexedNote, history: RecordHistory) -> dict[str, Any]:
    """The source of a note without provenance: the commit that added it."""
    first = history.first
    if first is None:
        return {"kind": "artifact", "ref": note.path}
    ref = f"{history.path}@{first.oid}"
    return {"kind": "artifact", "ref": ref, "created_by": first.actor, "timestamp": moments.render(first.when)}


# -- records for other programs -------------------------------------------------------------------------------


class Exported(NamedTuple):
    """The valid records, oldest first, and the problems of the notes that were left out."""

    records: tuple[Mapping[str, Any], ...]
    problems: tuple[Problem, ...]


def exported(vault: Vault, wanted: Callable[[IndexedNote], bool], progress: Progress) -> Exported:
    """Every memory that is `wanted`, as a record. `progress` gets (done, total)."""
    found, problems = [], []
    for view in VaultRecords(vault).all(wanted, progress):
        errors = [problem for problem in view.problems if problem.severity == "error"]
        problems += errors
        if not errors:
            found.append(view.value)
    found.sort(key=lambda value: (moments.normal(value["created_at"]), value["id"]))
    return Exported(tuple(found), tuple(problems))


def as_json(values: Iterable[Mapping[str, Any]], lines: bool = False) -> Iterator[str]:
    """The records as lines of JSON Lines if `lines`, else as the text of one JSON array."""
    if lines:
        for value in values:
            yield json.dumps(value, ensure_ascii=False)
    else:
        yield json.dumps(list(values), indent=2, ensure_ascii=False)
