"""Imports works, chapters and wisdom of RUM: all of a database or a JSON document, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mdmem.errors import UsageError
from mdmem.note import fields, memory, moments, titles
from mdmem.note.memory import IMPORTED
from mdmem.note.yamltext import Value
from mdmem.store.local import usage
from mdmem.store.local.usage import Use
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems import intake
from mdmem.systems.format import LinkOf
from mdmem.systems.importers import archives
from mdmem.systems.intake import ImportProblems, Intake, Item, NewNames
from mdmem.systems.rum import roster, schema, work
from mdmem.systems.rum.chapters import pages
from mdmem.systems.rum.exchange import database
from mdmem.systems.rum.exchange.database import RumDocument
from mdmem.systems.rum.schema import Record
from mdmem.systems.rum.shelf import TYPES, Shelf
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


@dataclass(frozen=True)
class RumIntake(Intake):
    """What an import would do. `known` maps ids that exist already to paths; `uses` are by note id."""

    agents: Sequence[Record]
    uses: Mapping[str, Use]


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> RumIntake:
    """Read the file and plan the import. Nothing is written.

    Memories that hold a secret are left out unless `allow_secret`. `progress` gets (done, total). Raises
    UsageError for an invalid document, NotFoundError for a file that cannot be read.
    """
    problems = ImportProblems()
    document = _document(given, lambda lost: problems.not_carried(given, lost, "a vault has no place for it"))
    shelf, names = Shelf(vault), NewNames(vault)
    known: dict[str, str] = {}
    # paths are chosen beforehand, so that records can link to each other
    new: dict[str, tuple[str, str, Record]] = {}
    lists = zip(TYPES, (document.memories, document.chapters, document.wisdom), strict=True)
    for kind, value in ((kind, value) for kind, records in lists for value in records):
        if note := shelf.note_of(value["id"]):
            known[value["id"]] = note.path
        else:
            new[value["id"]] = kind, _path(vault, names, value), value

    def link_of(id: str) -> str:
        return f"[[{memory.stem(new[id][1])}]]" if id in new else shelf.link_of(id)

    parents = {agent["id"]: agent.get("parent_id") for agent in document.agents}
    items: list[Item] = []
    uses: dict[str, Use] = {}
    for done, (id, (kind, path, value)) in enumerate(new.items(), 1):
        properties, body = _note_of(kind, value, link_of, parents.get(value.get("agent_id", "")))
        data, made = fields.compose(properties, body, path, vault.config.id)
        if leak := None if allow_secret else secret_in(vault, f"{kind} {id}", data.decode()):
            problems.append(leak)
        else:
            items.append(Item(path, data, {"kind": kind, "id": id, "path": path}, made))
            if times := value.get("access_count"):
                uses[work.note_id(id)] = Use(times, value.get("last_accessed", 0))
        progress(done, len(new))
    registered = roster.registered(vault)
    agents = [agent for agent in document.agents if agent["id"] not in registered]
    return RumIntake(tuple(items), known, tuple(problems), agents, uses)


def _path(vault: Vault, names: NewNames, value: Record) -> str:
    """A free path for the note of a record, named after what it says."""
    subject = schema.subject(value) if "intent" in value else value["summary"]
    said = value["intent"]["goal"] if "intent" in value else value.get("title") or subject
    created = moments.of_seconds(int(value.get("created_at", 0)))
    return intake.path_for(vault, names, titles.title_of(said), subject, created)


def _note_of(kind: str, value: Record, link_of: LinkOf, parent: str | None) -> tuple[dict[str, Value], str]:
    """The properties and the body of the note for a record; `parent` is that of its agent."""
    if kind == work.TYPE:
        properties, body = work.note_of(value, link_of)
        properties |= {"parent_actor": parent} if parent else {}
    else:
        properties, body = pages.note_of(value, pages.KINDS[kind], link_of)
    return {"category": "past", "origin": IMPORTED, **properties}, body


def write(vault: Vault, planned: RumIntake, caller: Caller, reason: str = "") -> str:
    """Write a plan in one commit and return its id, "" if there was nothing to do.

    Raises ConflictError if one of the paths has been taken since.
    """
    commit = intake.write(vault, planned, caller, reason, lambda tx: roster.put(tx, planned.agents))
    if planned.uses:
        usage.put(vault.root, planned.uses)
    return commit


# -- the file ------------------------------------------------------------------------------------------------


def _document(given: str, tell: Callable[[str], None]) -> RumDocument:
    """The document in a file, with an id for each work; `tell` gets what is left out of it.

    Raises UsageError, NotFoundError.
    """
    if given != archives.STDIN and archives.read(given, len(database.MAGIC)) == database.MAGIC:
        return database.read(given, tell)
    document = database.checked(_of_json(*archives.given(given)))
    return document._replace(memories=[_with_id(value) for value in document.memories])


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
