"""The work notes of a vault as RUM memories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.note import moments
from mdmem.recall import lookup
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import usage
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import schema, work
from mdmem.systems.rum.schema import Record
from mdmem.systems.rum.work import TYPE, Around
from mdmem.write import succession


class WorkView(NamedTuple):
    """A work note: `work` is its JSON object, `problems` what keeps it from being valid."""

    note: IndexedNote
    work: Record
    problems: tuple[Problem, ...]

    @property
    def is_valid(self) -> bool:
        """Whether all that RUM requires is there."""
        return not any(problem.severity == "error" for problem in self.problems)


class ReadWorks(NamedTuple):
    """The valid works that were read, and how many broken ones there were among them."""

    views: list[WorkView]
    broken: int


class VaultWorks:
    """The works of a vault, read from its notes; each link target is looked up only once.

    With `as_stated` their links are those of the notes: without effects that others state, but with lost targets.
    """

    def __init__(self, vault: Vault, as_stated: bool = False) -> None:
        self.vault = vault
        self._as_stated = as_stated
        self._ids: dict[str, str] = {}

    def find(self, name: str) -> IndexedNote:
        """The work with that name or id `mem_...`. Raises NotFoundError, UsageError for another memory."""
        found = lookup.find(self.vault, work.note_id(name))
        if found.type != TYPE:
            raise UsageError(f"{found.name} is not a work", f"mdmem show {found.name} prints it")
        return found

    def view(self, note: IndexedNote) -> WorkView:
        """A work with what the vault adds: effects that other works state, and how often it was read."""
        data = self.vault.read(note.path)
        read = self.vault.parse(data, note.path)
        reading = work.reading_of(read, self.around(note), data)
        return WorkView(note, self._completed(note, reading.work), tuple(reading.problems))

    def is_broken(self, view: WorkView) -> bool:
        """Whether a note is meant to be a work, but is not a valid one.

        In a vault that was adopted, a note of this type without any of the five layers is something else.
        """
        is_meant = any(view.work[layer] for layer in schema.LAYERS)
        return not view.is_valid and (is_meant or not self.vault.config.is_adopted)

    def first_valid(self, notes: Iterable[IndexedNote], limit: int) -> ReadWorks:
        """The first valid works, at most `limit`, and the number of broken ones before the last of them."""
        views: list[WorkView] = []
        broken = 0
        for view in map(self.view, notes):
            if view.is_valid:
                views.append(view)
            broken += self.is_broken(view)
            if len(views) >= limit:
                break
        return ReadWorks(views, broken)

    def around(self, note: IndexedNote) -> Around:
        """What a work note does not state itself."""
        return Around(note.created or moments.of_seconds(0), self.id_of)

    def id_of(self, target: str) -> str:
        """The id in RUM of the memory behind a wikilink; "" for a lost one, or its target."""
        if target not in self._ids:
            named = self.vault.index.named(fold_target(target))
            exact = [one for one in named if one.path.removesuffix(".md").endswith(target)]
            lost = target if self._as_stated else ""
            self._ids[target] = next((work.rum_id(one.id) for one in exact or named), lost)
        return self._ids[target]

    def link_of(self, id: str) -> str:
        """A wikilink to the memory with that id in RUM. Raises NotFoundError if there is none."""
        named = self.vault.index.with_id(work.note_id(id)) or [lookup.named(self.vault, id)]
        return succession.link_to(self.vault, named[0])

    def _completed(self, note: IndexedNote, said: Record) -> Record:
        use = usage.of(self.vault.root, note.id)
        counted = {"access_count": use.times if use else 0, "last_accessed": use.last if use else None}
        links = said["links"] if self._as_stated else {**said["links"], **self._effects(note, said)}
        whole = {**schema.UNSAID, **said, "links": links, **counted}
        return {name: whole[name] for name in schema.WORK.fields if name in whole}

    def _effects(self, note: IndexedNote, said: Record) -> Record:
        """The effects of a work: those it states itself, and the works that state that it caused them."""
        own = said["links"].get("led_to", [])
        linking = self.vault.index.links_to([fold_target(note.path)], "caused_by")
        others = {work.rum_id(source.id) for source, _ in linking if source.path != note.path}
        effects = list(dict.fromkeys([*own, *sorted(others)]))
        return {"led_to": effects} if effects else {}


def require_valid(view: WorkView) -> WorkView:
    """The view itself if the work is valid. Raises NotFoundError that says what is missing in its note."""
    if not view.is_valid:
        first = next(problem for problem in view.problems if problem.severity == "error")
        raise NotFoundError(f"{first.where}: {first.message}", first.fix)
    return view
