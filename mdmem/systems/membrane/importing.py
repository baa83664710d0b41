"""Imports MemoryRecords into a vault: all of a file in one commit, or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from mdmem.errors import Problem, UsageError
from mdmem.note import fields, moments, naming, titles
from mdmem.note.memory import IMPORTED, Memory
from mdmem.note.structured import sections
from mdmem.note.yamltext import Value
from mdmem.store import layout
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import archives, planning
from mdmem.systems.importers.planning import NewNames
from mdmem.systems.membrane import audit, record, schema
from mdmem.systems.membrane.record import Record
from mdmem.systems.membrane.view import VaultRecords
from mdmem.write.guard import secret_in

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

_CATEGORIES = {"working": "present", "plan_graph": "future"}


class ImportedRecord(NamedTuple):
    """A record to import: its position in the file (from 1), id, path, bytes, audit log, and the parsed note."""

    place: int
    id: str
    path: str
    data: bytes
    log: tuple[Mapping[str, Any], ...]
    note: Memory

    @property
    def facts(self) -> dict[str, Any]:
        """The record's fields in JSON output."""
        return {"record": self.place, "id": self.id, "path": self.path}


class RecordImportPlan(NamedTuple):
    """What an import would do, which is nothing if any record is invalid. `known` maps existing ids to paths."""

    items: tuple[ImportedRecord, ...]
    known: Mapping[str, str]
    problems: tuple[Problem, ...]


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> RecordImportPlan:
    """Read the file and plan the import. Nothing is written.

    Records that hold a secret are left out unless `allow_secret`. `progress` gets (done, total) records. Raises
    UsageError for a file that is not JSON, NotFoundError for one that cannot be read.
    """
    text, source = archives.given(given)
    values = list(parsed(text, source))
    problems = [
        problem for place, (line, value) in enumerate(values, 1) for problem in _faults(value, source, place, line)
    ]
    distinct = _distinct(values, source, problems)
    if any(problem.severity == "error" for problem in problems):
        return RecordImportPlan((), {}, tuple(problems))
    importer = _RecordImporter(vault, distinct)
    items = []
    for done, (place, value) in enumerate(distinct.items(), 1):
        if not importer.is_known(value, source, place, problems):
            item = importer.item(place, value)
            leak = None if allow_secret else secret_in(vault, source, item.data.decode())
            if leak:
                problems.append(leak)
            else:
                items.append(item)
        progress(done, len(distinct))
    return RecordImportPlan(tuple(items), importer.known, tuple(problems))


def write(vault: Vault, planned: RecordImportPlan, caller: Caller, reason: str = "") -> str:
    """Write a plan in one commit and return its id, "" if there was nothing to do.

    Raises ConflictError if one of the paths has been taken since.
    """
    logs = [audit.trailer(item.id, item.log) for item in planned.items]
    with vault.change(caller.does("import", reason, *logs)) as tx:
        for item in planned.items:
            planning.stage(tx, item.path, item.data, item.note)
    return tx.commit


# -- the file ------------------------------------------------------------------------------------------------


def parsed(text: str, source: str) -> Iterator[tuple[int, Any]]:
    """(line, value) of each record in a JSON array, a single JSON object, or JSON Lines. Raises UsageError."""
    bare = text.strip()
    if bare.startswith("["):
        yield from ((0, value) for value in _json(text, source, 1))
    elif bare.startswith("{") and not _is_lines(bare):
        yield 0, _json(text, source, 1)
    else:
        for line, row in enumerate(text.split("\n"), 1):
            if row.strip():
                yield line, _json(row, source, line)


def _is_lines(text: str) -> bool:
    """Whether the first line is a JSON value of its own."""
    first = text.split("\n", 1)[0]
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def _json(text: str, source: str, line: int) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_mapping)
    except json.JSONDecodeError as error:
        where = f"{source}:{line + error.lineno - 1}"
        raise UsageError(
            f"{where}: not JSON: {error.msg}", "give a JSON array of records, or one a line"
        ) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{source}:{line}: {error}", "write it as valid JSON (RFC 8259)") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field '{twice}' is given twice")
    return value


def _faults(value: Any, source: str, place: int, line: int) -> Iterator[Problem]:
    for fault in schema.faults(value):
        field = fault.field or "the whole"
        yield Problem("record", source, line, f"record {place}: {field} {fault.message}", fault.fix)


def _distinct(values: list[tuple[int, Any]], source: str, problems: list[Problem]) -> dict[int, Record]:
    """The records by position in the file, without repeats; different records with one id are a problem."""
    first: dict[str, int] = {}
    found: dict[int, Record] = {}
    for place, (line, value) in enumerate(values, 1):
        identity = str(value.get("id")).lower() if isinstance(value, dict) else ""
        earlier = first.setdefault(identity, place)
        if earlier == place:
            found[place] = value
        elif value != found[earlier]:
            message = f"record {place}: has the id of record {earlier}, but different content"
            problems.append(Problem("record", source, line, message, "give one of them another id"))
    return found


# -- its records as notes ------------------------------------------------------------------------------------


class _RecordImporter:
    """Chooses the names of all records of an import beforehand, so that they can link to each other."""

    def __init__(self, vault: Vault, records: Mapping[int, Record]) -> None:
        self.vault = vault
        self.there = VaultRecords(vault)
        self.known: dict[str, str] = {}
        self._new_names = NewNames(vault)
        new = [value for value in records.values() if value["id"].lower() not in self.there.by_id]
        self._names = {value["id"]: self._name(value) for value in new}

    def is_known(self, value: Record, source: str, place: int, problems: list[Problem]) -> bool:
        """Whether the vault has that record. If the vault's version differs, it stays, and a problem is added."""
        note = self.there.by_id.get(value["id"].lower())
        if note is None:
            return False
        view = self.there.one(note)
        self.known[value["id"]] = view.path
        if not sections.same({**view.value, "id": value["id"]}, value):
            message = f"record {place}: is in the vault as {view.path}, with different content; that one stays"
            problems.append(Problem("record", source, 0, message, "mdmem update changes it", "warning"))
        return True

    def item(self, place: int, value: Record) -> ImportedRecord:
        """The note for a record."""
        properties, body = record.note_of(value, self._link_of)
        more: dict[str, Value] = {"category": _category(value), "origin": IMPORTED}
        path = self._path(self._names[value["id"]], value)
        data, note = fields.compose({**more, **properties}, body, path, self.vault.config.id)
        return ImportedRecord(place, value["id"], path, data, tuple(value["audit_log"]), note)

    def _link_of(self, id: str) -> str:
        return f"[[{self._names[id]}]]" if id in self._names else self.there.link_of(id)

    def _name(self, value: Record) -> str:
        _, body = record.note_of(value, lambda id: f"[[{id}]]")
        title = titles.of_text(body, value["type"])
        return self._new_names.made(title, words_of(value), lambda name: self._path(name, value))

    def _path(self, name: str, value: Record) -> str:
        return layout.path_for(name, moments.normal(value["created_at"]), self.vault.config)


def _category(value: Record) -> str:
    return _CATEGORIES.get(value["type"], "past")


def words_of(value: Record) -> str:
    """Words to name a record by if its title is too short or taken."""
    return " ".join(naming.words_of(json.dumps(value["payload"], ensure_ascii=False)[:2000]))
