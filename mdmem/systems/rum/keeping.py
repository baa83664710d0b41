"""Makes chapters and wisdom, makes them again, and folds old works into their chapters.

Nothing here happens as part of another write: a person, a program or the gardener asks for it. Each call is one
commit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from mdmem.errors import UsageError
from mdmem.note import fields, moments
from mdmem.note.memory import ARCHIVED, as_flag, as_text
from mdmem.note.properties import is_archived
from mdmem.note.yamltext import Value
from mdmem.recall.models.language import LanguageModel
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.registry import StaleNote
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import pages
from mdmem.systems.rum.pages import AUTO, CHAPTER, GATHERS, MANUAL, WISDOM, PageKind, PageText
from mdmem.systems.rum.shelf import RumView, Shelf
from mdmem.systems.rum.work import TYPE, Record
from mdmem.write import guard, remember, succession
from mdmem.write.remember import Draft

LITTLE = 0.5  # importance below which a work is of little importance (0-1)
_WORDED_BY, _WORDED_OF = "worded_by", "worded_of"  # a model, and the digest of the rules' text that it worded


class PageChange(NamedTuple):
    """A chapter or wisdom that was written; `action` is create or refresh."""

    action: str
    type: str
    path: str
    title: str


class KeptPages(NamedTuple):
    """The pages that a call wrote, its commit ("" if there was nothing to do), and the works that it folded.

    `archived` are the paths of these works.
    """

    pages: tuple[PageChange, ...]
    commit: str
    archived: tuple[str, ...] = ()


# -- chapters ------------------------------------------------------------------------------------------------


def detect(
    vault: Vault,
    caller: Caller,
    project: str = "",
    reason: str = "",
    least: int = pages.MIN_WORKS,
    among: Collection[str] | None = None,
) -> KeptPages:
    """Make a chapter for every tag, or else task type, that at least `least` works of a project share.

    A chapter that was detected earlier is extended by new works. If a `project` is given, works of other projects
    are left alone; if ids are given as `among`, so are works with other ids.
    """
    keeper = _Keeper(vault, caller)
    looked_at = [work for work in keeper.works() if among is None or work["id"] in among]
    for name, works in _by_project(looked_at).items():
        if not project or name == project:
            keeper.groups(name, pages.groups(works, least))
    return keeper.commit(reason)


def create(vault: Vault, names: Sequence[str], caller: Caller, title: str = "", reason: str = "") -> KeptPages:
    """Make a chapter of the works with these names or ids, in this order.

    Raises NotFoundError, UsageError for a memory that is not a work, and for works of several projects.
    """
    keeper = _Keeper(vault, caller)
    works = list({view.value["id"]: view.value for view in map(keeper.shelf.require, names)}.values())
    if not works:
        raise UsageError("a chapter needs a work", "name the works, or mdmem work chapters --auto")
    projects = {work["project_id"] for work in works}
    if len(projects) > 1:
        raise UsageError(f"these works are of {len(projects)} projects", "make a chapter for each of them")
    keeper.add_chapter(works, title or f"Works on {works[0]['intent']['goal']}", MANUAL)
    return keeper.commit(reason)


def refresh(
    vault: Vault, names: Sequence[str], caller: Caller, reason: str = "", model: LanguageModel | None = None
) -> KeptPages:
    """Make chapters and wisdom again, the named ones or all; only pages that change are written.

    Text outside the markers is kept. A `model` words lines that it has not worded yet; its wording stays as long
    as the rules make the same text. Raises NotFoundError, UsageError for a page without markers, ModelError.
    """
    keeper = _Keeper(vault, caller, model)
    kinds = CHAPTER, WISDOM
    views = [keeper.shelf.page(name, *kinds) for name in names] if names else keeper.shelf.pages(*kinds)
    for name, view in zip(names, views, strict=False):
        if not pages.is_made(view.read.body):
            raise UsageError(f"{name} has no part that is made by rule", f"it begins with {pages.BEGIN}")
    for view in sorted(views, key=lambda view: view.note.type == WISDOM.type):
        keeper.remake(view)
    return keeper.commit(reason)


def stale(vault: Vault) -> Iterator[StaleNote]:
    """The chapters and wisdom that would change if they were made again, by path."""
    keeper = _Keeper(vault, Caller(datetime.fromtimestamp(0, UTC)))
    for view in keeper.shelf.pages(CHAPTER, WISDOM):
        again = keeper.remade(view)
        if again is not None:
            ids = view.value[pages.KINDS[view.note.type].joined]
            sources = {note.path for id in ids if (note := keeper.shelf.note_of(id))}
            before = vault.read(view.note.path)
            yield StaleNote(view.note.path, view.note.name, before, again, tuple(sorted(sources)))


def outdated(vault: Vault) -> Iterator[StaleNote]:
    """The `stale` pages that the gardener proposes to make again: wisdom waits until its chapters are."""
    found = list(stale(vault))
    paths = {page.path for page in found}
    return (page for page in found if paths.isdisjoint(page.sources))


# -- wisdom --------------------------------------------------------------------------------------------------


def synthesize(
    vault: Vault,
    names: Sequence[str],
    caller: Caller,
    project: str = "",
    reason: str = "",
    model: LanguageModel | None = None,
) -> KeptPages:
    """Make the wisdom of the named chapters, or of all chapters of each project that has at least two.

    Existing wisdom of a project is made again from its current chapters. A `model` words its lines. Raises
    NotFoundError, UsageError for fewer than two chapters, ModelError.
    """
    keeper = _Keeper(vault, caller, model)
    if names:
        keeper.add_wisdom([keeper.shelf.page(name, CHAPTER).value for name in names])
        return keeper.commit(reason)
    chapters = [view.value for view in keeper.shelf.pages(CHAPTER) if view.is_valid]
    for name, own in _by_project(chapters).items():
        if (not project or name == project) and len(own) >= pages.MIN_CHAPTERS:
            keeper.project_wisdom(name, own)
    return keeper.commit(reason)


# -- old works -----------------------------------------------------------------------------------------------


def archive(vault: Vault, before: datetime, caller: Caller, importance: float, reason: str) -> KeptPages:
    """Fold works from before a time, and below an importance (0-1), into their chapters.

    Works without a chapter get one for each project. Works stay where they are, with `archived: true`; pinned
    works are left alone.
    """
    keeper = _Keeper(vault, caller)
    chaptered = {id for view in keeper.shelf.pages(CHAPTER) for id in view.value["memories"]}
    limit = before.timestamp()
    old = []
    for work in keeper.works():
        is_old = work["created_at"] < limit and work["importance"] < importance
        note = keeper.shelf.note_of(work["id"]) if is_old else None
        if note and not (is_archived(note.meta) or as_flag(note.meta.get("pinned"))):
            old.append(work)
            keeper.folded.append(note)
    for name, works in _by_project(work for work in old if work["id"] not in chaptered).items():
        day = moments.render(before)[:10]
        keeper.add_chapter(works, f"Old works of {name or 'no project'} before {day}", AUTO)
    return keeper.commit(reason)


# -- how it is done ------------------------------------------------------------------------------------------


class _Keeper:
    """Collects the writes of one call, then makes them in one commit."""

    def __init__(self, vault: Vault, caller: Caller, model: LanguageModel | None = None) -> None:
        self.vault, self.caller, self._model = vault, caller, model
        self.shelf = Shelf(vault)
        self._writes: list[Draft | tuple[IndexedNote, bytes]] = []
        self.folded: list[IndexedNote] = []

    def works(self) -> list[Record]:
        """Every valid work."""
        return self.shelf.members(note.id for note in self.vault.index.records() if note.type == TYPE)

    def groups(self, project: str, groups: Mapping[str, Sequence[str]]) -> None:
        """Make a chapter of each group, or extend the one that the group has."""
        known = {
            as_text(view.read.meta.get(GATHERS)): view
            for view in self.shelf.pages(CHAPTER)
            if view.read.text("made") == AUTO and view.value.get("project_id", "") == project
        }
        for key, shared in groups.items():
            if view := known.get(key):
                ids = list(dict.fromkeys([*view.value["memories"], *shared]))
                if len(ids) > len(view.value["memories"]):
                    self.remake(view, ids)
            else:
                self.add_chapter(self.shelf.members(shared), pages.title_of(key), AUTO, key)

    def add_chapter(self, works: Sequence[Record], title: str, made: str, group: str = "") -> None:
        """Add a new chapter of works that belong to one project."""
        self._add(CHAPTER, works, {"title": title, "made": made, GATHERS: group})

    def add_wisdom(self, chapters: Sequence[Record]) -> None:
        """Add new wisdom made of chapters. Raises UsageError if there are too few."""
        if len(chapters) < pages.MIN_CHAPTERS:
            raise UsageError("wisdom needs two chapters at least", "mdmem list --as chapter shows those there are")
        self._add(WISDOM, chapters, {"title": f"What {chapters[0].get('project_id') or 'all work'} has taught"})

    def project_wisdom(self, project: str, chapters: Sequence[Record]) -> None:
        """Make the wisdom of all chapters of a project: the existing one again, or else a new one."""
        for view in self.shelf.pages(WISDOM):
            is_own = view.value.get("project_id", "") == project
            if is_own and pages.is_made(view.read.body):
                self.remake(view, [chapter["id"] for chapter in chapters])
                return
        self.add_wisdom(chapters)

    def _add(self, kind: PageKind, parts: Sequence[Record], more: Mapping[str, Value]) -> None:
        ids = [part["id"] for part in parts]
        properties, body = self._worded(kind, self._text_of(kind, parts), ids)
        project = parts[0].get("project_id", "")
        properties |= {**more, "derived_from": self._links(ids), "project": project, "type": kind.type}
        said = {name: value for name, value in properties.items() if value not in (None, "")}
        self._writes.append(remember.require_fit(Draft(body, said)))

    def remake(self, view: RumView, ids: Sequence[str] | None = None) -> None:
        """Make a page again, from its sources or from other `ids`, if that changes it."""
        data = self.remade(view, ids)
        if data is not None:
            self.shelf.renew(view.note, data)
            self._writes.append((view.note, data))

    def remade(self, view: RumView, ids: Sequence[str] | None = None) -> bytes | None:
        """The bytes of a page made again; None if they would not change, or if none of it can be made by rule."""
        kind = pages.KINDS[view.note.type]
        chosen = view.value[kind.joined] if ids is None else ids
        parts = self._parts(kind, chosen) if pages.is_made(view.read.body) else []
        if not parts:
            return None
        properties, body = self._worded(kind, self._text_of(kind, parts), chosen, view)
        if ids is not None:
            properties["derived_from"] = self._links(chosen)
        properties |= succession.inherited(self.vault, {**view.read.meta, **properties})
        before = self.vault.read(view.note.path)
        after = pages.remade(before, view.read, properties, body)
        return None if after == before else after

    def _parts(self, kind: PageKind, ids: Sequence[str]) -> Sequence[Record]:
        """The works of a chapter, or the chapters of wisdom, that exist and are valid."""
        if kind is CHAPTER:
            return self.shelf.members(ids)
        notes = [note for note in map(self.shelf.note_of, ids) if note and note.type == CHAPTER.type]
        return [view.value for view in map(self.shelf.view, notes) if view.is_valid]

    def _text_of(self, kind: PageKind, parts: Sequence[Record]) -> PageText:
        """The text that the rules make of works or chapters."""
        if kind is CHAPTER:
            return pages.chapter_of(parts)
        return pages.wisdom_of(parts, {part["id"]: self.shelf.members(part["memories"]) for part in parts})

    def _worded(
        self, kind: PageKind, made: PageText, ids: Sequence[str], view: RumView | None = None
    ) -> tuple[dict[str, Value], str]:
        """A page's properties and the part between its markers, in a model's words where they still apply.

        `view` is the page as it is, None for a new one.
        """
        properties, body = pages.parts_of(made, kind, self.shelf.link_of)
        digest = pages.digest_of(body)
        if view and view.read.text(_WORDED_OF) == digest:
            return properties, pages.marked_part(view.read.body)
        by: str | None = None
        worded = body
        if self._model and self._may_leave(made, ids, view):
            made = pages.reworded(self._model, made, self.vault.tell)
            _, worded = pages.parts_of(made, kind, self.shelf.link_of)
            by = self._model.name if worded != body else None
        return {**properties, _WORDED_BY: by, _WORDED_OF: digest if by else None}, worded

    def _may_leave(self, made: PageText, ids: Sequence[str], view: RumView | None) -> bool:
        """Whether a page may be sent to a model: nothing in it is too sensitive or holds a secret."""
        notes = [view.note if view else None, *map(self.shelf.note_of, ids)]
        paths = [note.path for note in notes if note]
        if why := guard.kept_back(self.vault, paths, pages.prompts(made)):
            self.vault.tell(f"{view.note.name if view else 'the new page'}: the rules word it, for {why}")
        return not why

    def _links(self, ids: Iterable[str]) -> list[Value]:
        return [self.shelf.link_of(id) or id for id in ids]

    def commit(self, reason: str) -> KeptPages:
        """Write everything collected in one commit; there is no commit if nothing was collected."""
        if not self._writes and not self.folded:
            return KeptPages((), "")
        changes = []
        with self.vault.change(self.caller.does("create" if self._writes else "revise", reason)) as tx:
            for write in self._writes:
                if isinstance(write, Draft):
                    done = remember.stage(self.vault, tx, write, self.caller)
                    type = as_text(write.properties["type"])
                    changes.append(PageChange("create", type, done.path, done.title))
                else:
                    note, data = write
                    tx.write(note.path, data)
                    changes.append(PageChange("refresh", note.type, note.path, note.title))
            for note in self.folded:
                tx.write(note.path, fields.set_fields(tx.require(note.path), {ARCHIVED: True}, note.path))
        return KeptPages(tuple(changes), tx.commit, tuple(note.path for note in self.folded))


def _by_project(records: Iterable[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for value in records:
        found.setdefault(value.get("project_id", ""), []).append(value)
    return dict(sorted(found.items()))
