"""Exports the works, chapters, wisdom and agents of a vault as one document for other programs."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.errors import NoteError, Problem
from mdmem.note.memory import as_text
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import roster, work
from mdmem.systems.rum.chapters import pages
from mdmem.systems.rum.exchange import database
from mdmem.systems.rum.exchange.database import RumDocument
from mdmem.systems.rum.schema import MANY_LINKS, Record
from mdmem.systems.rum.shelf import TYPES, Shelf


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
    agents = roster.registered(vault)
    records: dict[str, list[tuple[IndexedNote, Record]]] = {kind: [] for kind in TYPES}
    for note, value in _valid(vault, problems, progress):
        records[note.type].append((note, value))
        if note.type == work.TYPE:
            _meet_agent(agents, value, as_text(note.meta.get("parent_actor")))
    for each in records.values():
        each.sort(key=lambda pair: (pair[1].get("created_at", 0), pair[1]["id"]))
    works, chapters, wisdom = records.values()
    known = _ids(works)
    for note, value in works:
        problems += _drop_lost_links(note, value, known)
    for kind, made, parts in ((pages.CHAPTER, chapters, works), (pages.WISDOM, wisdom, chapters)):
        known = _ids(parts)
        for note, value in made:
            problems += _lost(note, "derived_from", value[kind.joined], known)
            value[kind.joined] = [id for id in value[kind.joined] if id in known]
    plain = ([value for _, value in each] for each in records.values())
    listed = _parents_first([agents[id] for id in sorted(agents)])
    return RumExport(RumDocument(listed, *plain), tuple(problems))


def _valid(vault: Vault, problems: list[Problem], progress: Progress) -> Iterator[tuple[IndexedNote, Record]]:
    """The valid records, each with its note; what is wrong with the others goes into `problems`."""
    shelf = Shelf(vault, as_stated=True)
    notes = [note for note in vault.index.records() if note.type in TYPES]
    for done, note in enumerate(notes, 1):
        try:
            _, _, value, found, _ = shelf.view(note)
        except NoteError as error:
            value, found = {}, (error.problem,)
        wrong = [problem for problem in found if problem.severity == "error"]
        problems += wrong
        if not wrong:
            yield note, value
        progress(done, len(notes))


def _ids(records: Iterable[tuple[IndexedNote, Record]]) -> set[str]:
    return {value["id"] for _, value in records}


def _meet_agent(agents: dict[str, Record], value: Record, parent: str) -> None:
    """Add the agent of a work, and its parent, unless they are registered."""
    begun = {"project_id": value["project_id"], "created_at": value["created_at"]}
    if parent:
        agents.setdefault(parent, {"id": parent, "type": "main", **begun})
    below = {"type": "subagent", "parent_id": parent} if parent else {"type": "main"}
    agents.setdefault(value["agent_id"], {"id": value["agent_id"], **below, **begun})


def _drop_lost_links(note: IndexedNote, value: Record, known: Collection[str]) -> Iterator[Problem]:
    """Remove the links of a work to works that are not exported, with a warning for each."""
    for kind, ids in [*value["links"].items()]:
        named = ids if kind in MANY_LINKS else [ids]
        kept = [id for id in named if id in known]
        yield from _lost(note, kind, named, known)
        if kind in MANY_LINKS:
            value["links"][kind] = kept
        if named and not kept:
            del value["links"][kind]


def _lost(note: IndexedNote, field: str, ids: Sequence[str], known: Collection[str]) -> Iterator[Problem]:
    """A warning that names those of the ids in a field that are not exported."""
    if lost := [id for id in ids if id not in known]:
        message = f"{field} names {', '.join(lost)}, which is not exported"
        yield Problem("link", note.path, 0, message, "the link was left out", "warning")


def write(vault: Vault, place: str, document: RumDocument) -> None:
    """Write the SQLite database. Works get embeddings if the vault has a model for recall by meaning.

    Raises UsageError if it cannot be written, MdmemError if the model is not installed.
    """
    database.write(place, document, _embeddings(vault, document.memories))


def as_text_of(document: RumDocument) -> str:
    """The document as JSON."""
    return json.dumps(
        {name: list(rows) for name, rows in document._asdict().items()}, indent=2, ensure_ascii=False
    )


def _embeddings(vault: Vault, works: Sequence[Record]) -> dict[str, bytes]:
    """id -> vector of each work: float32, little-endian, of length 1."""
    from mdmem.recall import meaning

    if not meaning.is_on(vault) or not works:
        return {}
    texts = [f"{value['intent']['goal']}\n{value['outcome']['summary']}" for value in works]
    matrix = meaning.model(vault.config.semantic.model).embed(texts)
    return {value["id"]: row.astype("<f4").tobytes() for value, row in zip(works, matrix, strict=True)}


def _parents_first(agents: Sequence[Record]) -> list[Record]:
    """The agents, each after its parent; a parent that is unknown is removed."""
    waiting = {agent["id"]: agent for agent in agents}
    ordered: dict[str, Record] = {}
    while waiting:
        ready = [id for id, agent in waiting.items() if agent.get("parent_id") not in waiting]
        for id in ready or list(waiting):
            agent = waiting.pop(id)
            is_lost = agent.get("parent_id") not in ordered
            ordered[id] = {name: item for name, item in agent.items() if name != "parent_id" or not is_lost}
    return list(ordered.values())
