"""The memories of a vault as MemoryRecords."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from mdmem.errors import NoteError, Problem
from mdmem.note import decay, moments
from mdmem.note.memory import as_text
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import IndexedNote
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
        progress: Callable[[int, int], None] | None = None,
    ) -> Iterator[RecordView]:
        """Every record that is `wanted`, by path. A note that cannot be read has only problems and no value."""
        chosen = [one for one in self._notes if wanted(one)]
        histories = audit.of_all(self.vault, {one.path: one.id for one in self._notes})
        for done, one in enumerate(chosen, 1):
            yield self._view(one, histories.get(one.id, RecordHistory()))
            if progress:
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
        return self._links.get(id, "")

    @cached_property
    def _links(self) -> dict[str, str]:
        return {record.identity_of(one.id): _link(one, self._by_target) for one in self._notes}

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


def _link(note: IndexedNote, by_target: Mapping[str, str]) -> str:
    is_first = by_target.get(fold_target(note.path)) == record.identity_of(note.id)
    return f"[[{note.name if is_first else note.path.removesuffix('.md')}]]"


def _source(note: IndexedNote, history: RecordHistory) -> dict[str, Any]:
    """The source of a note without provenance: the commit that added it."""
    if history.first is None:
        return {"kind": "artifact", "ref": note.path}
    first = history.first
    ref = f"{history.path}@{first.oid}"
    return {"kind": "artifact", "ref": ref, "created_by": first.actor, "timestamp": moments.render(first.when)}
