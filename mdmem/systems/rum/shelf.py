"""The works, chapters, wisdom and agents of a vault as RUM records: found, read, checked and linked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from mdmem.errors import NoteError, NotFoundError, Problem, UsageError
from mdmem.history import lineage
from mdmem.note import moments
from mdmem.note.memory import Memory
from mdmem.note.shapes import Shape, objections
from mdmem.note.yamltext import Value
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import files, usage
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import pages, work
from mdmem.systems.rum.pages import PageKind
from mdmem.systems.rum.work import TYPE, Around, Record, note_id
from mdmem.write import edit, succession
from mdmem.write.edit import Edit

TYPES = (TYPE, *pages.KINDS)  # of the notes that are RUM records


class RumView(NamedTuple):
    """A work, chapter or wisdom: its note, its record (`value`), and what keeps that from being valid.

    `is_meant` tells whether there is anything of a record in the note.
    """

    note: IndexedNote
    read: Memory
    value: Record
    problems: tuple[Problem, ...]
    is_meant: bool

    @property
    def is_valid(self) -> bool:
        """Whether all that RUM requires is there."""
        return not any(problem.severity == "error" for problem in self.problems)


class Shelf:
    """Reads the RUM records of a vault; each link target and each member of a page is looked up only once.

    With `as_stated` the links of works are those of the notes: without effects that others state, but with lost
    targets.
    """

    def __init__(self, vault: Vault, as_stated: bool = False) -> None:
        self.vault = vault
        self._as_stated = as_stated
        self._ids: dict[str, str] = {}
        self._members: dict[str, Record | None] = {}
        self._renewed: dict[str, bytes] = {}

    # -- reading -----------------------------------------------------------------------------------------------

    def view(self, note: IndexedNote) -> RumView:
        """The record in a note, a work with what the vault adds. Raises NoteError if it cannot be read."""
        data = self._renewed.get(note.path) or self.vault.read(note.path)
        read = self.vault.parse(data, note.path)
        if note.type == TYPE:
            stated, problems = work.reading_of(read, self.around(note), data)
            is_meant = any(stated[layer] for layer in work.LAYERS)
            return RumView(note, read, self._completed(note, stated), problems, is_meant)
        kind = pages.KINDS[note.type]
        value = pages.record_of(read, kind, self.around(note), note.updated or note.created)
        is_meant = pages.is_made(read.body) or bool(value[kind.joined])
        return RumView(note, read, value, pages.problems(read, value, kind), is_meant)

    def work(self, name: str) -> IndexedNote:
        """The work with that name or id `mem_...`. Raises NotFoundError, UsageError for another memory."""
        return _of_type(lookup.find(self.vault, note_id(name)), TYPE)

    def page(self, name: str, *kinds: PageKind) -> RumView:
        """The page of these kinds with that name or id. Raises NotFoundError, UsageError for another memory."""
        return self.view(_of_type(lookup.find(self.vault, note_id(name)), *(kind.type for kind in kinds)))

    def pages(self, *kinds: PageKind) -> list[RumView]:
        """Every page of these kinds that can be read, by path; doctor reports the others."""
        views = []
        for note in self.vault.index.records():
            if note.type in [kind.type for kind in kinds]:
                with suppress(NoteError):
                    views.append(self.view(note))
        return views

    def require(self, name: str) -> RumView:
        """The valid work with that name or id.

        Raises NotFoundError that says what is missing in its note, UsageError for another memory.
        """
        view = self.view(self.work(name))
        for problem in view.problems:
            if problem.severity == "error":
                raise NotFoundError(f"{problem.where}: {problem.message}", problem.fix)
        return view

    def members(self, ids: Iterable[str]) -> list[Record]:
        """The works with these ids that exist and are valid, in that order; each is read only once."""
        found = []
        for id in ids:
            if id not in self._members:
                note = self.note_of(id)
                view = self.view(note) if note and note.type == TYPE else None
                self._members[id] = view.value if view and view.is_valid else None
            if value := self._members[id]:
                found.append(value)
        return found

    def first_valid(self, notes: Iterable[IndexedNote], limit: int) -> tuple[list[RumView], int]:
        """The first valid works, at most `limit`, and the number of broken ones before the last of them."""
        views: list[RumView] = []
        broken = 0
        for view in map(self.view, notes):
            if view.is_valid:
                views.append(view)
            broken += self.is_broken(view)
            if len(views) >= limit:
                break
        return views, broken

    def is_broken(self, view: RumView) -> bool:
        """Whether a note is meant to be a record, but is not a valid one.

        In a vault that was adopted, a note of such a type with nothing of a record in it is something else.
        """
        return not view.is_valid and (view.is_meant or not self.vault.config.is_adopted)

    def renew(self, note: IndexedNote, data: bytes) -> None:
        """Take these bytes, about to be written, for the page's content: pages made of it next use them."""
        self._renewed[note.path] = data

    def _completed(self, note: IndexedNote, said: Record) -> Record:
        """A work with the effects that other works state, and how often it was read."""
        use = usage.of(self.vault.root, note.id)
        counted = {"access_count": use.times if use else 0, "last_accessed": use.last if use else None}
        links = said["links"] if self._as_stated else {**said["links"], **self._effects(note, said)}
        whole = {**work.UNSAID, **said, "links": links, **counted}
        return {name: whole[name] for name in work.WORK.fields if name in whole}

    def _effects(self, note: IndexedNote, said: Record) -> Record:
        """The effects of a work: those it states itself, and the works that state that it caused them."""
        own = said["links"].get("led_to", [])
        linking = self.vault.index.links_to([fold_target(note.path)], "caused_by")
        others = {work.rum_id(source.id) for source, _ in linking if source.path != note.path}
        effects = list(dict.fromkeys([*own, *sorted(others)]))
        return {"led_to": effects} if effects else {}

    # -- links -------------------------------------------------------------------------------------------------

    def around(self, note: IndexedNote) -> Around:
        """What a note does not state itself."""
        return Around(note.created or moments.of_seconds(0), self.id_of)

    def id_of(self, target: str) -> str:
        """The id in RUM of the memory behind a wikilink; "" for a lost one, or its target."""
        if target not in self._ids:
            note = lineage.linked(self.vault.index, target)
            lost = target if self._as_stated else ""
            self._ids[target] = work.rum_id(note.id) if note else lost
        return self._ids[target]

    def note_of(self, id: str) -> IndexedNote | None:
        """The note of a work, chapter or wisdom by its id, None if there is none."""
        return next(iter(self.vault.index.with_id(note_id(id))), None)

    def link_of(self, id: str) -> str:
        """A wikilink to a work, chapter or wisdom, "" if it is not in the vault."""
        note = self.note_of(id)
        return succession.link_to(self.vault, note) if note else ""

    def required_link(self, id: str) -> str:
        """A wikilink to the memory with that id in RUM, or name. Raises NotFoundError if there is none."""
        return self.link_of(id) or succession.link_to(self.vault, lookup.named(self.vault, id))


def _of_type(note: IndexedNote, *types: str) -> IndexedNote:
    if note.type not in types:
        hint = " or ".join(f"mdmem list --type {type}" for type in types)
        raise UsageError(f"{note.name} is not of type {' or '.join(types)}", f"{hint} shows those there are")
    return note


def problems(vault: Vault) -> Iterator[Problem]:
    """The problems of each invalid work, chapter and wisdom, with file, line and field."""
    shelf = Shelf(vault)
    for note in vault.index.records():
        if note.type in TYPES:
            with suppress(NoteError, NotFoundError):  # doctor reports what cannot be read at all
                view = shelf.view(note)
                if view.is_valid or shelf.is_broken(view):
                    yield from (problem for problem in view.problems if problem.code == note.type)


class LinkedWork(NamedTuple):
    """A link: the names of its ends, its type, and the commit, "" if the link was there already."""

    source: str
    type: str
    target: str
    commit: str


def link(vault: Vault, source: str, type: str, target: str, caller: Caller, reason: str = "") -> LinkedWork:
    """Add a link of one of LINK_TYPES to a work; `source` and `target` are names or ids `mem_...`.

    A link of a type that allows only one replaces the old one. Raises NotFoundError for an unknown name,
    UsageError for a source that is not a work and for a link to itself.
    """
    first = _of_type(lookup.named(vault, note_id(source)), TYPE)
    other = lookup.named(vault, note_id(target))
    if first.path == other.path:
        raise UsageError(f"{first.name} cannot be linked to itself", "name another work")
    wanted: list[Value] = [succession.link_to(vault, other)]
    change = Edit(changes={type: wanted}) if type in work.ONE_LINK else Edit(add={type: wanted})
    done = edit.update_all(vault, [first], change, caller, reason)
    return LinkedWork(first.name, type, other.name, done.commit)


# -- agents ----------------------------------------------------------------------------------------------------

# `agents.json`, a tracked file beside the memories, has the registered agents. One that only wrote works is known
# from these; the file holds what works cannot tell: when an agent began, whose subagent it is, other metadata.

AGENTS = "agents.json"
_AGENTS = Shape("list", items=work.SHAPES["agent"])


def agents(vault: Vault) -> dict[str, Record]:
    """id -> agent. Raises NoteError if the file does not hold agents."""
    return _parsed_agents(files.read_or_none(vault.root, AGENTS))


def put_agents(tx: Transaction, new: Iterable[Record]) -> None:
    """Register agents within a change; an agent that is registered already is replaced."""
    known = _parsed_agents(tx.read(AGENTS))
    added = {agent["id"]: agent for agent in new}
    if any(known.get(id) != agent for id, agent in added.items()):
        rows = [agent for _, agent in sorted({**known, **added}.items())]
        tx.write(AGENTS, (json.dumps(rows, indent=2, ensure_ascii=False) + "\n").encode())


def _parsed_agents(data: bytes | None) -> dict[str, Record]:
    if data is None:
        return {}
    try:
        agents = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NoteError(_agents_problem(f"is not JSON: {error}")) from None
    for fault in objections(agents, _AGENTS):
        raise NoteError(_agents_problem(f"{fault.field} {fault.message}".strip()))
    return {agent["id"]: agent for agent in agents}


def _agents_problem(message: str) -> Problem:
    return Problem("agents", AGENTS, 0, message, f"git log -p {AGENTS} shows how it was")
