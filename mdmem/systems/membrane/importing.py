"""Imports MemoryRecords into a vault: all of a file in one commit, or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mdmem.errors import Problem, UsageError
from mdmem.note import fields, moments, naming, titles
from mdmem.note.memory import IMPORTED, stem
from mdmem.note.structured import sections
from mdmem.note.structured.shapes import of_json
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems import intake
from mdmem.systems.format import LinkOf
from mdmem.systems.importers import archives
from mdmem.systems.intake import Intake, Item, NewNames, write
from mdmem.systems.membrane import audit, record
from mdmem.systems.membrane.record import Record
from mdmem.systems.membrane.view import VaultRecords
from mdmem.write.guard import secret_in

__all__ = ["HELP", "NOUN", "TAKES", "plan", "write"]
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
    new = [value for value in records.values() if value["id"].lower() not in there.by_id]
    planned = _planned(vault, new)
    del new
    known: dict[str, str] = {}
    items, logs = [], []

    def link_of(id: str) -> str:
        return f"[[{stem(planned[id][0])}]]" if id in planned else there.link_of(id)

    for done, place in enumerate(list(records), 1):
        value = records.pop(place)  # the notes take the room of the records that they are made of
        if value["id"] not in planned:
            view = there.one(there.by_id[value["id"].lower()])
            known[value["id"]] = view.path
            if not sections.same({**view.value, "id": value["id"]}, value):
                message = f"record {place}: is in the vault as {view.path}, with different content; that one stays"
                problems.append(Problem("record", source, 0, message, "mdmem update changes it", "warning"))
        else:
            item = _item(vault, place, value, planned[value["id"]], link_of)
            if leak := None if allow_secret else secret_in(vault, source, item.data.decode()):
                problems.append(leak)
            else:
                items.append(item)
                logs.append(audit.trailer(value["id"], value["audit_log"]))
        progress(done, done + len(records))
    return Intake(tuple(items), known, tuple(problems), trailers=logs)


# -- the file ------------------------------------------------------------------------------------------------


def parsed(text: str, source: str) -> Iterator[tuple[int, Any]]:
    """(line, value) of each record in a JSON array, a single JSON object, or JSON Lines. Raises UsageError."""
    for line, value in archives.values(text, of_json) if text.strip() else ():
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


def _item(vault: Vault, place: int, value: Record, planned: tuple[str, str], link_of: LinkOf) -> Item:
    """The note for a record."""
    path, body = planned
    usual = {"category": _CATEGORIES.get(value["type"], "past"), "origin": IMPORTED}
    properties = {**usual, **record.properties_of(value, link_of)}
    data, note = fields.compose(properties, body, path, vault.config.id)
    return Item(path, data, {"record": place, "id": value["id"], "path": path}, note)
