"""Imports RUM records, all of a document or nothing, and exports those of a vault as one document."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.errors import NoteError, Problem, UsageError
from mdmem.note import fields, memory, moments, titles
from mdmem.note.scalars import identity
from mdmem.note.yamltext import Value
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import usage
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems import intake
from mdmem.systems.format import LinkOf
from mdmem.systems.importers import archives
from mdmem.systems.intake import ImportProblems, Intake, Item, NewNames
from mdmem.systems.rum import database, pages, shelf, work
from mdmem.systems.rum.database import RumDocument
from mdmem.systems.rum.shelf import TYPES, Shelf
from mdmem.systems.rum.work import MANY_LINKS, Record

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


write = intake.write


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> Intake:
    """Read the file and plan the import. Nothing is written.

    Memories that hold a secret are left out unless `allow_secret`. `progress` gets (done, total). Raises
    UsageError for an invalid document, NotFoundError for a file that cannot be read.
    """
    problems = ImportProblems()
    document = _document(given, lambda lost: problems.not_carried(given, lost, "a vault has no place for it"))
    there, names = Shelf(vault), NewNames(vault)
    known: dict[str, str] = {}
    # paths are chosen beforehand, so that records can link to each other
    new: dict[str, tuple[str, str, Record]] = {}
    for kind, records in zip(TYPES, document[1:], strict=True):
        for value in records:
            if note := there.note_of(value["id"]):
                known[value["id"]] = note.path
            else:
                new[value["id"]] = kind, _path(vault, names, value), value

    def link_of(id: str) -> str:
        return f"[[{memory.stem(new[id][1])}]]" if id in new else there.link_of(id)

    parents = {agent["id"]: agent.get("parent_id") for agent in document.agents}
    items: list[Item] = []
    for done, (id, (kind, path, value)) in enumerate(new.items(), 1):
        properties, body = _note_of(kind, value, link_of, parents.get(value.get("agent_id", "")))
        data, made = fields.compose(properties, body, path, vault.config.id)
        items.append(Item(path, data, {"kind": kind, "id": id, "path": path}, made))
        progress(done, len(new))
    items = intake.without_secrets(vault, items, _said, problems, allow_secret)
    kept = {item.facts["id"] for item in items}
    uses = {
        work.note_id(id): usage.Use(value["access_count"], value.get("last_accessed", 0))
        for id, (_, _, value) in new.items()
        if id in kept and value.get("access_count")
    }
    registered = shelf.agents(vault)
    agents = [agent for agent in document.agents if agent["id"] not in registered]
    return Intake(tuple(items), known, tuple(problems), also=lambda tx: shelf.put_agents(tx, agents), uses=uses)


def _said(item: Item) -> tuple[str, str]:
    return f"{item.facts['kind']} {item.facts['id']}", item.data.decode()


def _path(vault: Vault, names: NewNames, value: Record) -> str:
    """A free path for the note of a record, named after what it says."""
    subject = work.subject(value) if "intent" in value else value["summary"]
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
    return {"category": "past", "origin": memory.IMPORTED, **properties}, body


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
    value = work.parsed_json(text, f"{source}: ", _FIX)
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
    return value if "id" in value else {"id": work.rum_id(memory.derived_id(identity(value), "rum")), **value}


# -- exporting -------------------------------------------------------------------------------------------------


class RumExport(NamedTuple):
    """The valid records of a vault, and the problems of those left out."""

    document: RumDocument
    problems: tuple[Problem, ...]


def exported(vault: Vault, progress: Progress) -> RumExport:
    """All RUM records of a vault, oldest first. `progress` gets (done, total) notes.

    A link to a record that is not exported is left out, with a warning. Raises NoteError for a list of agents that
    cannot be read.
    """
    problems: list[Problem] = []
    agents = shelf.agents(vault)
    records: dict[str, list[tuple[IndexedNote, Record]]] = {kind: [] for kind in TYPES}
    for note, value in _valid(vault, problems, progress):
        records[note.type].append((note, value))
        if note.type == work.TYPE:
            _meet_agent(agents, value, memory.as_text(note.meta.get("parent_actor")))
    for each in records.values():
        each.sort(key=lambda pair: (pair[1].get("created_at", 0), pair[1]["id"]))
    known = {value["id"] for each in records.values() for _, value in each}
    for note, value in records[work.TYPE]:
        value["links"] = _kept_links(note, value["links"], known, problems)
    for kind in pages.KINDS.values():
        for note, value in records[kind.type]:
            value[kind.joined] = _kept(note, "derived_from", value[kind.joined], known, problems)
    plain = ([value for _, value in each] for each in records.values())
    listed = _parents_first(agents)
    return RumExport(RumDocument(listed, *plain), tuple(problems))


def _valid(vault: Vault, problems: list[Problem], progress: Progress) -> Iterator[tuple[IndexedNote, Record]]:
    """The valid records, each with its note; what is wrong with the others goes into `problems`."""
    stated = Shelf(vault, as_stated=True)
    notes = [note for note in vault.index.records() if note.type in TYPES]
    for done, note in enumerate(notes, 1):
        try:
            _, _, value, found, _ = stated.view(note)
        except NoteError as error:
            value, found = {}, (error.problem,)
        wrong = [problem for problem in found if problem.severity == "error"]
        problems += wrong
        if not wrong:
            yield note, value
        progress(done, len(notes))


def _meet_agent(agents: dict[str, Record], value: Record, parent: str) -> None:
    """Add the agent of a work, and its parent, unless they are registered."""
    begun = {"project_id": value["project_id"], "created_at": value["created_at"]}
    if parent:
        agents.setdefault(parent, {"id": parent, "type": "main", **begun})
    below = {"type": "subagent", "parent_id": parent} if parent else {"type": "main"}
    agents.setdefault(value["agent_id"], {"id": value["agent_id"], **below, **begun})


def _kept_links(note: IndexedNote, links: Record, known: Collection[str], problems: list[Problem]) -> Record:
    """The links of a work to works that are exported."""
    said = {kind: ids if kind in MANY_LINKS else [ids] for kind, ids in links.items()}
    kept = {kind: _kept(note, kind, ids, known, problems) for kind, ids in said.items()}
    left = {kind: ids for kind, ids in kept.items() if ids or not said[kind]}
    return {kind: ids if kind in MANY_LINKS else ids[0] for kind, ids in left.items()}


def _kept(
    note: IndexedNote, field: str, ids: Sequence[str], known: Collection[str], problems: list[Problem]
) -> list[str]:
    """Those of the ids in a field that are exported; a warning names the others."""
    if lost := [id for id in ids if id not in known]:
        message = f"{field} names {', '.join(lost)}, which is not exported"
        problems.append(Problem("link", note.path, 0, message, "the link was left out", "warning"))
    return [id for id in ids if id in known]


def write_database(vault: Vault, place: str, document: RumDocument) -> None:
    """Write the SQLite database. Works get embeddings if the vault has a model for recall by meaning.

    Raises UsageError if it cannot be written, MdmemError if the model is not installed.
    """
    database.write(place, document, _embeddings(vault, document.memories))


def as_text_of(document: RumDocument) -> str:
    """The document as JSON."""
    return json.dumps(document._asdict(), indent=2, ensure_ascii=False)


def _embeddings(vault: Vault, works: Sequence[Record]) -> dict[str, bytes]:
    """id -> vector of each work: float32, little-endian, of length 1."""
    from mdmem.recall import meaning

    if not meaning.is_on(vault) or not works:
        return {}
    texts = [f"{value['intent']['goal']}\n{value['outcome']['summary']}" for value in works]
    matrix = meaning.model(vault.config.semantic.model).embed(texts)
    return {value["id"]: row.astype("<f4").tobytes() for value, row in zip(works, matrix, strict=True)}


def _parents_first(agents: Mapping[str, Record]) -> list[Record]:
    """The agents by id, each after its parent; a parent that is unknown is removed."""
    waiting = dict(sorted(agents.items()))
    ordered: dict[str, Record] = {}
    while waiting:
        ready = [id for id, agent in waiting.items() if agent.get("parent_id") not in waiting]
        for id in ready or list(waiting):
            agent = waiting.pop(id)
            is_lost = agent.get("parent_id") not in ordered
            ordered[id] = {name: item for name, item in agent.items() if name != "parent_id" or not is_lost}
    return list(ordered.values())
