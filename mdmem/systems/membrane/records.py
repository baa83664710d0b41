"""The memories of a vault as MemoryRecords, these as JSON for other programs, and records as memories."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from mdmem.errors import NoteError, Problem, UsageError
from mdmem.history import lineage
from mdmem.note import decay, fields, moments, naming, titles
from mdmem.note.memory import IMPORTED, as_text, stem
from mdmem.note.scalars import is_same
from mdmem.note.shapes import of_json
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.vault import Vault
from mdmem.systems import intake
from mdmem.systems.format import LinkOf
from mdmem.systems.importers import archives
from mdmem.systems.intake import Intake, Item, NewNames
from mdmem.systems.membrane import audit, record
from mdmem.systems.membrane.audit import RecordHistory
from mdmem.systems.membrane.record import Record, Surroundings
from mdmem.write import succession


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
        self._ids: dict[str, str] = {}  # target of a wikilink -> id of the record

    def summaries(self, now: datetime) -> Iterator[RecordSummary]:
        """A summary of each record, by path, from the index alone."""
        for one in self.vault.index.records():
            salience = decay.standing(one.meta, one.created, now)
            yield RecordSummary(one, record.record_type(one), as_text(one.meta.get("scope")), salience)

    def all(
        self,
        wanted: Callable[[IndexedNote], bool] = lambda _: True,
        progress: Progress = silent,
    ) -> Iterator[RecordView]:
        """Every record that is `wanted`, by path. A note that cannot be read has only problems and no value."""
        notes = list(self.vault.index.records())
        chosen = [one for one in notes if wanted(one)]
        histories = audit.of_all(self.vault, {one.path: one.id for one in notes})
        for done, one in enumerate(chosen, 1):
            yield self._view(one, histories.get(one.id, RecordHistory()))
            progress(done, len(chosen))

    def one(self, note: IndexedNote) -> RecordView:
        """The record of a memory."""
        return self._view(note, audit.of_memory(self.vault, note.path, note.id))

    @cached_property
    def by_id(self) -> dict[str, IndexedNote]:
        """Lower-case record id -> memory; UUIDs are compared without case (RFC 9562, section 4)."""
        return {record.identity_of(note.id).lower(): note for note in self.vault.index.records()}

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
        if target not in self._ids:
            note = lineage.linked(self.vault.index, target)
            self._ids[target] = record.identity_of(note.id) if note else ""
        return self._ids[target]

    def link_of(self, id: str) -> str:
        """A wikilink to the record with that id, "" if there is none."""
        note = self.by_id.get(id.lower())
        return succession.link_to(self.vault, note) if note and record.identity_of(note.id) == id else ""

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


# -- importing them --------------------------------------------------------------------------------------------
#
# All of a file in one commit, or nothing.


NOUN = "record"
TAKES = "file"
HELP = """Import MemoryRecords of Membrane: each becomes a note, in one commit.

PATH is a JSON array of records, or JSON Lines with one record a line; "-" reads standard input. Every field
of a record is kept, its audit log as well. If a record is not valid, each fault is reported with its field and
nothing is imported. What is already there is skipped: importing again changes nothing.

\b
Examples:
  mdmem import membrane records.json --dry-run
  mdmem export membrane --vault ../old | mdmem import membrane -"""

write = intake.write

_CATEGORIES = {"working": "present", "plan_graph": "future"}


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> Intake:
    """Read the file and plan the import. Nothing is written.

    Records that hold a secret are left out unless `allow_secret`. `progress` gets (done, total) records. Raises
    UsageError for a file that is not JSON, NotFoundError for one that cannot be read.
    """
    text, source = archives.given(given)
    problems: list[Problem] = []
    records = _distinct(parsed(text, source), source, problems)
    del text
    if any(problem.severity == "error" for problem in problems):
        return Intake((), {}, tuple(problems))
    there = VaultRecords(vault)
    known: dict[str, str] = {}
    ids = {value["id"].lower(): place for place, value in records.items()}
    places = {there.by_id[id].path: ids[id] for id in ids.keys() & there.by_id}
    for view in there.all(lambda note: note.path in places) if places else ():
        place = places[view.path]
        value = records.pop(place)
        known[value["id"]] = view.path
        if not is_same({**view.value, "id": value["id"]}, value):
            message = f"record {place}: is in the vault as {view.path}, with different content; that one stays"
            problems.append(Problem("record", source, 0, message, "mdmem update changes it", "warning"))
    planned = _planned(vault, records.values())
    logs: dict[str, tuple[str, str]] = {}

    def link_of(id: str) -> str:
        return f"[[{stem(planned[id][0])}]]" if id in planned else there.link_of(id)

    def made() -> Iterator[Item]:
        for done, place in enumerate(list(records), 1):
            value = records.pop(place)  # the notes take the room of the records that they are made of
            id = value["id"]
            logs[id] = audit.trailer(id, value["audit_log"])
            yield _item(vault, place, value, *planned[id], link_of)
            progress(done, done + len(records))

    items = intake.without_secrets(
        vault, made(), lambda item: (source, item.data.decode()), problems, allow_secret
    )
    trailers = [logs[item.facts["id"]] for item in items]
    return Intake(tuple(items), known, tuple(problems), trailers=trailers)


# -- the file that is given ------------------------------------------------------------------------------------


def parsed(text: str, source: str) -> Iterator[tuple[int, Any]]:
    """(line, value) of each record in a JSON array, a single JSON object, or JSON Lines. Raises UsageError."""
    for line, value in archives.values(text, of_json):
        if isinstance(value, json.JSONDecodeError):
            where = f"{source}:{line + value.lineno - 1}"
            raise UsageError(f"{where}: not JSON: {value.msg}", "give a JSON array of records, or one a line")
        if isinstance(value, ValueError | RecursionError):
            raise UsageError(f"{source}:{line}: {value}", "write it as valid JSON (RFC 8259)")
        yield line, value


def _distinct(values: Iterable[tuple[int, Any]], source: str, problems: list[Problem]) -> dict[int, Record]:
    """The records by position in the file, without repeats; faults and different records with one id are told."""
    first: dict[str, int] = {}
    records: dict[int, Record] = {}
    for place, (line, value) in enumerate(values, 1):
        for fault in record.faults(value):
            message = f"record {place}: {fault.field or 'the whole'} {fault.message}"
            problems.append(Problem("record", source, line, message, fault.fix))
        identity = str(value.get("id")).lower() if isinstance(value, dict) else ""
        other = first.setdefault(identity, place)
        if other == place:
            records[place] = value
        elif value != records[other]:
            message = f"record {place}: has the id of record {other}, but different content"
            problems.append(Problem("record", source, line, message, "give one of them another id"))
    return records


# -- its records as notes ------------------------------------------------------------------------------------


def _planned(vault: Vault, new: Iterable[Record]) -> dict[str, tuple[str, str]]:
    """id -> path and body of each new record: chosen beforehand, so that they can link to each other."""
    names, planned = NewNames(vault), {}
    for value in new:
        body = record.body_of(value)
        title = titles.of_text(body, value["type"])
        words = " ".join(naming.words_of(json.dumps(value["payload"], ensure_ascii=False)[:2000]))
        path = intake.path_for(vault, names, title, words, moments.normal(value["created_at"]))
        planned[value["id"]] = path, body
    return planned


def _item(vault: Vault, place: int, value: Record, path: str, body: str, link_of: LinkOf) -> Item:
    """The note for a record."""
    usual = {"category": _CATEGORIES.get(value["type"], "past"), "origin": IMPORTED}
    properties = {**usual, **record.properties_of(value, link_of)}
    data, note = fields.compose(properties, body, path, vault.config.id)
    return Item(path, data, {"record": place, "id": value["id"], "path": path}, note)
