"""Exports the works, chapters, wisdom and agents of a vault as one document for other programs."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from mdmem.errors import NoteError, Problem
from mdmem.note.memory import as_text
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import roster, work
from mdmem.systems.rum.chapters import pages
from mdmem.systems.rum.chapters.pages import PageKind
from mdmem.systems.rum.chapters.shelf import Shelf
from mdmem.systems.rum.exchange import database
from mdmem.systems.rum.exchange.tables import RumDocument
from mdmem.systems.rum.schema import MANY_LINKS, Record


class RumExport(NamedTuple):
    """The valid records of a vault, and the problems of those left out."""

    document: RumDocument
    problems: tuple[Problem, ...]


def exported(vault: Vault, progress: Progress) -> RumExport:
    """All RUM records of a vault, oldest first. `progress` gets (done, total) notes.

    A link to a record that is not exported is left out, with a warning. Raises NoteError for a list of agents that
    cannot be read.
    """
    return _Exporter(vault, progress).run()


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


class _Exporter:
    def __init__(self, vault: Vault, progress: Progress) -> None:
        self.vault = vault
        self.shelf = Shelf(vault, as_stated=True)
        self.progress = progress
        self.problems: list[Problem] = []
        self.agents = roster.registered(vault)

    def run(self) -> RumExport:
        """Read every RUM note once."""
        kinds = {work.TYPE, *pages.KINDS}
        notes = [note for note in self.vault.index.records() if note.type in kinds]
        found: dict[str, list[Record]] = {kind: [] for kind in kinds}
        for done, note in enumerate(notes, 1):
            if value := self._read(note):
                found[note.type].append(value)
            self.progress(done, len(notes))
        works = sorted(found[work.TYPE], key=_age)
        self._keep_links(works)
        chapters = self._joined(found["chapter"], pages.CHAPTER, works)
        wisdom = self._joined(found["wisdom"], pages.WISDOM, chapters)
        agents = [self.agents[id] for id in sorted(self.agents)]
        return RumExport(RumDocument(_parents_first(agents), works, chapters, wisdom), tuple(self.problems))

    def _read(self, note: IndexedNote) -> Record | None:
        try:
            if note.type == work.TYPE:
                _, value, problems = self.shelf.works.view(note)
            else:
                _, _, value, problems = self.shelf.view(note)
        except NoteError as error:
            value, problems = {}, (error.problem,)
        wrong = [problem for problem in problems if problem.severity == "error"]
        self.problems += wrong
        if not wrong and note.type == work.TYPE:
            self._meet_agent(value, as_text(note.meta.get("parent_actor")))
        return None if wrong else value

    def _meet_agent(self, value: Record, parent: str) -> None:
        """Add the agent of a work, and its parent, unless they are registered."""
        begun = {"project_id": value["project_id"], "created_at": value["created_at"]}
        if parent:
            self.agents.setdefault(parent, {"id": parent, "type": "main", **begun})
        below = {"type": "subagent", "parent_id": parent} if parent else {"type": "main"}
        self.agents.setdefault(value["agent_id"], {"id": value["agent_id"], **below, **begun})

    def _keep_links(self, works: Sequence[Record]) -> None:
        """Remove links to works that are not exported."""
        known = {value["id"] for value in works}
        for value in works:
            links = {}
            for kind, ids in value["links"].items():
                named = ids if kind in MANY_LINKS else [ids]
                kept = self._kept(value, kind, named, known)
                if kept or not named:
                    links[kind] = kept if kind in MANY_LINKS else ids
            value["links"] = links

    def _joined(self, records: list[Record], kind: PageKind, parts: Sequence[Record]) -> list[Record]:
        """The pages, oldest first, each with only those of its sources that are exported."""
        known = {value["id"] for value in parts}
        for value in records:
            value[kind.joined] = self._kept(value, "derived_from", value[kind.joined], known)
        return sorted(records, key=_age)

    def _kept(self, value: Record, field: str, ids: Sequence[str], known: Collection[str]) -> list[str]:
        """Those of the ids in a field that are exported; a warning names the others."""
        lost = [id for id in ids if id not in known]
        if lost:
            note = self.shelf.note_of(value["id"])
            message = f"{field} names {', '.join(lost)}, which is not exported"
            path = note.path if note else ""
            self.problems.append(Problem("link", path, 0, message, "the link was left out", "warning"))
        return [id for id in ids if id in known]


def _age(value: Record) -> Any:
    return value.get("created_at", 0), value["id"]


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
