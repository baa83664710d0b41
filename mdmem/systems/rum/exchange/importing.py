"""Imports works, chapters and wisdom of RUM: all of a database or a JSON document, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.note import fields, memory, moments, titles
from mdmem.note.memory import IMPORTED, Memory
from mdmem.note.yamltext import Value
from mdmem.store import layout
from mdmem.store.local import usage
from mdmem.store.local.usage import Use
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import archives, planning, values
from mdmem.systems.importers.planning import NewNames
from mdmem.systems.rum import roster, schema, work
from mdmem.systems.rum.chapters import pages
from mdmem.systems.rum.chapters.shelf import Shelf
from mdmem.systems.rum.exchange import database, tables
from mdmem.systems.rum.exchange.tables import RumDocument
from mdmem.systems.rum.schema import Record
from mdmem.write.guard import secret_in

NOUN = "RUM memory"
TAKES = "file"
HELP = """Import the works, chapters and wisdom of RUM: each becomes a note, in one commit.

PATH is RUM's SQLite database, or JSON: an object with the lists agents, memories, chapters and wisdom, as
`mdmem export rum` writes it, or a list of works; "-" reads JSON from standard input. If anything in it is not
valid, the field is named and nothing is imported. What is already there is skipped: importing again changes
nothing.

\b
Examples:
  mdmem import rum ~/.rum/memory.db --dry-run
  mdmem export rum - --vault ../old | mdmem import rum -"""

_FIX = "give a database of RUM, or JSON as mdmem export rum writes it"


class ImportedRumNote(NamedTuple):
    """A note to write: the kind and id of its record, its path, its bytes, and the parsed note."""

    kind: str
    id: str
    path: str
    data: bytes
    note: Memory

    @property
    def facts(self) -> dict[str, Any]:
        """The note's fields in JSON output."""
        return {"kind": self.kind, "id": self.id, "path": self.path}


class RumImportPlan(NamedTuple):
    """What an import would do. `known` maps ids that exist already to paths; `uses` are by note id."""

    items: tuple[ImportedRumNote, ...]
    known: Mapping[str, str]
    problems: tuple[Problem, ...]
    agents: Sequence[Record]
    uses: Mapping[str, Use]


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> RumImportPlan:
    """Read the file and plan the import. Nothing is written.

    Memories that hold a secret are left out unless `allow_secret`. `progress` gets (done, total). Raises
    UsageError for an invalid document, NotFoundError for a file that cannot be read.
    """
    lost: list[str] = []
    document = _document(given, lost.append)
    problems = [values.not_carried(given, message, "a vault has no place for it") for message in lost]
    importer = _RumImporter(vault, document)
    items = []
    for done, (kind, value) in enumerate(importer.new, 1):
        item = importer.item(kind, value)
        leak = None if allow_secret else secret_in(vault, f"{kind} {item.id}", item.data.decode())
        if leak:
            problems.append(leak)
        else:
            items.append(item)
        progress(done, len(importer.new))
    return RumImportPlan(
        tuple(items), importer.known, tuple(problems), importer.new_agents(), importer.uses(items)
    )


def write(vault: Vault, planned: RumImportPlan, caller: Caller, reason: str = "") -> str:
    """Write a plan in one commit and return its id, "" if there was nothing to do.

    Raises ConflictError if one of the paths has been taken since.
    """
    with vault.change(caller.does("import", reason)) as tx:
        for item in planned.items:
            planning.stage(tx, item.path, item.data, item.note)
        roster.put(tx, planned.agents)
    if planned.uses:
        usage.put(vault.root, planned.uses)
    return tx.commit


# -- the file ------------------------------------------------------------------------------------------------


def _document(given: str, tell: Callable[[str], None]) -> RumDocument:
    """The document in a file, with an id for each work; `tell` gets what is left out of it.

    Raises UsageError, NotFoundError.
    """
    if given != archives.STDIN and _begins(given).startswith(database.MAGIC):
        return database.read(given, tell)
    document = tables.checked(_of_json(*archives.given(given)))
    return document._replace(memories=[_with_id(value) for value in document.memories])


def _begins(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(len(database.MAGIC))
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read: {error.strerror}") from None


def _of_json(text: str, source: str) -> RumDocument:
    value = schema.parsed_json(text, f"{source}: ", _FIX)
    if isinstance(value, dict) and "intent" in value:
        return RumDocument(memories=[value])
    lists = {"memories": value} if isinstance(value, list) else value
    if not isinstance(lists, dict) or not lists.keys() <= set(RumDocument._fields):
        raise UsageError(f"{source}: this JSON is not a document of RUM", _FIX)
    for name, rows in lists.items():
        if not isinstance(rows, list):
            raise UsageError(f"{source}: {name} is not a list", _FIX)
    return RumDocument(**lists)


def _with_id(value: Record) -> Record:
    """The work with an id; without one it gets an id derived from its content, so that it is imported once."""
    said = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return value if "id" in value else {"id": work.rum_id(memory.derived_id(said, "rum")), **value}


# -- its records as notes ------------------------------------------------------------------------------------


class _RumImporter:
    """Chooses the names of all records of an import beforehand, so that they can link to each other.

    `new` are (type, record) of those that the vault does not have yet.
    """

    def __init__(self, vault: Vault, document: RumDocument) -> None:
        self.vault = vault
        self.document = document
        self.shelf = Shelf(vault)
        self.known: dict[str, str] = {}
        self._parents = {agent["id"]: agent.get("parent_id", "") for agent in document.agents}
        self._new_names = NewNames(vault)
        self._names: dict[str, str] = {}
        self.new: list[tuple[str, Record]] = []
        lists = {work.TYPE: document.memories, "chapter": document.chapters, "wisdom": document.wisdom}
        for kind, records in lists.items():
            for value in records:
                if note := self.shelf.note_of(value["id"]):
                    self.known[value["id"]] = note.path
                else:
                    self.new.append((kind, value))
                    self._names[value["id"]] = self._name(value)

    def item(self, kind: str, value: Record) -> ImportedRumNote:
        """The note for a record."""
        if kind == work.TYPE:
            properties, body = work.note_of(value, self._link_of)
            parent = self._parents.get(value.get("agent_id", ""))
            properties |= {"parent_actor": parent} if parent else {}
        else:
            properties, body = pages.note_of(value, pages.KINDS[kind], self._link_of)
        more: dict[str, Value] = {"category": "past", "origin": IMPORTED}
        path = self._path(self._names[value["id"]], value)
        data, note = fields.compose({**more, **properties}, body, path, self.vault.config.id)
        return ImportedRumNote(kind, value["id"], path, data, note)

    def new_agents(self) -> list[Record]:
        """The agents that are not registered yet."""
        registered = roster.registered(self.vault)
        return [agent for agent in self.document.agents if agent["id"] not in registered]

    def uses(self, items: Sequence[ImportedRumNote]) -> dict[str, Use]:
        """note id -> how often an imported work was recalled where it comes from."""
        new = {item.id for item in items}
        counted = [value for value in self.document.memories if value["id"] in new and value.get("access_count")]
        return {
            work.note_id(value["id"]): Use(value["access_count"], value.get("last_accessed", 0))
            for value in counted
        }

    def _link_of(self, id: str) -> str:
        return f"[[{self._names[id]}]]" if id in self._names else self.shelf.link_of(id)

    def _name(self, value: Record) -> str:
        subject = schema.subject(value) if "intent" in value else value["summary"]
        said = value["intent"]["goal"] if "intent" in value else value.get("title") or subject
        return self._new_names.made(titles.title_of(said), subject, lambda name: self._path(name, value))

    def _path(self, name: str, value: Record) -> str:
        created = moments.of_seconds(int(value.get("created_at", 0)))
        return layout.path_for(name, created, self.vault.config)
