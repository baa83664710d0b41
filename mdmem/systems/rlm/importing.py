"""Imports chunk trees of RLM-MEM (`brain/memory`) into a vault: planned as a whole, then written in two commits.

Active chunks become notes. So do archived ones, whose notes are deleted again at once, so that `mdmem trash`
lists them and `restore` brings them back. The tree's indexes only decide the order of chunks of the same time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from mdmem.errors import Problem, UsageError
from mdmem.history import past
from mdmem.note import fields, memory, titles
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.local import usage
from mdmem.store.local.usage import Use
from mdmem.store.operation import Caller, Operation
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import planning, values
from mdmem.systems.importers.planning import NewNames
from mdmem.systems.rlm import chunktree, edit, mirror, schema
from mdmem.systems.rlm import view as chunkview
from mdmem.systems.rlm.chunktree import TreeChunk
from mdmem.systems.rlm.mirror.indexes import INDEXES
from mdmem.systems.rlm.schema import Chunk
from mdmem.systems.rlm.view import ChunkView
from mdmem.write import remember
from mdmem.write.guard import secrets_in

_ARCHIVED = "Archived"  # trailer with the id of a memory that the next commit is to delete
_HASHED = 42  # bits of an id that distinguish memories of different trees


NOUN = "chunk"
TAKES = "folder"
HELP = """Import the JSON chunks of an RLM-MEM tree: each becomes a memory, archived ones deleted memories.

PATH is brain/memory, or a folder around it. Ids, links, tags, confidence and counts are kept; the indexes
are not needed. Other files are reported and skipped, and so is what is already there: importing again
changes nothing. One commit adds the chunks, a second one deletes those of the archive, which `mdmem trash`
then lists.

\b
Examples:
  mdmem import rlm ~/rlm-mem/brain/memory --dry-run
  mdmem import rlm ~/rlm-mem --json
"""


class ImportedChunk(NamedTuple):
    """A chunk to import: its file in the tree, its path and bytes in the vault, and its former use."""

    source: str
    chunk_id: str
    memory: str
    path: str
    data: bytes
    archived: bool
    use: Use | None

    @property
    def facts(self) -> dict[str, Any]:
        """The chunk's fields in JSON output."""
        return {"id": self.chunk_id, "source": self.source, "path": self.path, "archived": self.archived}


class ChunkImportPlan(NamedTuple):
    """What an import would do. `known` maps the files of chunks that exist already to their ids.

    `unfinished` are the paths of archived chunks that an interrupted import left undeleted. Problems of severity
    error are about chunks left out; warnings are about anything else a person should know. `tree` is the folder.
    """

    items: tuple[ImportedChunk, ...]
    known: Mapping[str, str]
    unfinished: tuple[str, ...]
    problems: tuple[Problem, ...]
    tree: str = ""

    @property
    def archived(self) -> tuple[ImportedChunk, ...]:
        """The chunks that are to be deleted at once."""
        return tuple(item for item in self.items if item.archived)


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> ChunkImportPlan:
    """Read the tree at or below `given` and plan the import. Nothing is written.

    Chunks that hold a secret are left out unless `allow_secret`.
    `progress` gets (done, total) chunks. Raises UsageError for a tokenizer that is not installed.
    """
    tree = chunktree.tree_at(given)
    problems: list[Problem] = []
    sources = list(chunktree.sources(tree, problems))
    read = list(chunktree.read_all(tree, sources, problems, lambda done: progress(done, 2 * len(sources))))
    view = ChunkView(vault)
    view.refresh()
    fresh, known, unfinished = _sorted_out(vault, view, _distinct(read, problems), problems)
    if not allow_secret:
        leaks = secrets_in(vault, [(one.source, one.chunk.content) for one in fresh])
        problems += leaks.values()
        fresh = [one for one in fresh if one.source not in leaks]
    made = list(_made(vault, view, _in_order(fresh, chunktree.ranks(tree)), problems))
    items = list(_linked(view, made, problems, lambda done: progress(len(sources) + done, 2 * len(sources))))
    progress(len(sources), len(sources))
    shown = sorted(problem._replace(path=os.path.join(tree, problem.path)) for problem in problems)
    return ChunkImportPlan(tuple(items), known, tuple(unfinished), tuple(shown), tree)


def write(vault: Vault, planned: ChunkImportPlan, caller: Caller, reason: str = "") -> str:
    """Write a plan and return the id of its first commit, "" if there was nothing to do.

    One commit adds all chunks, a second one deletes those of the archive. Raises ConflictError if one of the paths
    has been taken since. A tree in the place of the vault's mirror becomes the mirror.
    """
    with vault.following():
        with vault.change(importing(planned, caller, reason)) as tx:
            for item in planned.items:
                planning.stage(tx, item.path, item.data)
        usage.put(vault.root, {item.memory: item.use for item in planned.items if item.use})
        archived = [*planned.unfinished, *(item.path for item in planned.archived)]
        told = reason or "In the archive of the tree that was imported."
        with vault.change(caller.does("delete", told), allow_loss=True) as gone:
            for path in archived:
                gone.delete(path)
    if _is_in_place(vault, planned.tree):
        mirror.adopt(vault, _replaceable(vault, planned))
        mirror.switch_on(vault, caller)
    return tx.commit or gone.commit


def _is_in_place(vault: Vault, tree: str) -> bool:
    return bool(tree) and os.path.realpath(tree) == os.path.realpath(
        os.path.join(vault.root, vault.config.mirror.folder)
    )


def _replaceable(vault: Vault, planned: ChunkImportPlan) -> list[str]:
    """The files of a tree in the mirror's place that hold nothing the vault does not, and its indexes."""
    doubted = {os.path.relpath(one.path, planned.tree) for one in planned.problems if one.code == "import"}
    sources = {item.source for item in planned.items} | planned.known.keys()
    listed = [f"index/{name}.json" for name in INDEXES]
    base = mirror.JsonMirror(vault.config).base
    return [base + path for path in [*sorted(sources - doubted), *listed]]


def importing(planned: ChunkImportPlan, caller: Caller, reason: str = "") -> Operation:
    """The operation of the first commit, with the ids of the memories that the second one is to delete."""
    return caller.does("import", reason, *((_ARCHIVED, item.memory) for item in planned.archived))


# -- what is new ---------------------------------------------------------------------------------------------


def _distinct(read: Iterable[TreeChunk], problems: list[Problem]) -> list[TreeChunk]:
    """The chunks without those whose id, ignoring case, an earlier chunk has."""
    first: dict[str, TreeChunk] = {}
    for one in read:
        other = first.setdefault(one.chunk.id.lower(), one)
        if other is not one and other.chunk != one.chunk:
            message = f"has the id of {other.source}, but different content; left out"
            problems.append(values.left_out(one.source, message, "give one of them another id"))
    return list(first.values())


def _sorted_out(
    vault: Vault, view: ChunkView, read: Sequence[TreeChunk], problems: list[Problem]
) -> tuple[list[TreeChunk], dict[str, str], list[str]]:
    """(new chunks, known chunks, archived chunks that an interrupted import left undeleted)."""
    trash = (chunkview.deleted(vault, item, view.count) for item in past.trash(vault))  # permanent deletions, too
    deleted = {id.lower() for found in trash if found for id in found[0].ids}
    fresh, known, unfinished = [], {}, []
    to_delete = cache(lambda commit: _to_delete(vault, commit))
    for one in read:
        id = one.chunk.id
        if view.has(id):
            known[one.source] = id
            path = _compared(vault, view, one, problems)
            if path and one.archived and _is_untouched(vault, path, to_delete):
                unfinished.append(path)
            elif path and one.archived:
                message = f"is active in the vault as {path}; left active"
                problems.append(values.not_carried(one.source, message, "mdmem forget it if it should go"))
        elif id.lower() in deleted:
            known[one.source] = id
            if not one.archived:
                message = "was deleted in the vault since; left deleted"
                problems.append(values.not_carried(one.source, message, "mdmem trash lists it"))
        else:
            fresh.append(one)
    return fresh, known, unfinished


def _compared(vault: Vault, view: ChunkView, one: TreeChunk, problems: list[Problem]) -> str:
    """The path of the memory with the id and the text of a chunk; "" and a problem if they differ."""
    place = view.find(one.chunk.id)
    path = place.head.path if place else "a chunk whose id differs in case"
    said = ""
    if place:
        note = vault.get(path)
        said = chunkview.projected(note, place.head.created, view.count)[1][place.part].content
    if not place or said != one.chunk.content:
        message = f"is in the vault as {path}, with another text; that one stays"
        told = values.not_carried if place else values.left_out
        problems.append(told(one.source, message, "compare them"))
        return ""
    return path


def _is_untouched(vault: Vault, path: str, to_delete: Callable[[str], Set[str]]) -> bool:
    """Whether a memory is still as written by an import that was to delete it afterwards."""
    versions, record = vault.index.versions(path), vault.index.record(path)
    if record is None or len(versions) != 1 or vault.repo.file(versions[0].blob, path) != vault.read(path):
        return False
    return record.id in to_delete(versions[0].commit)


def _to_delete(vault: Vault, commit: str) -> set[str]:
    """The ids of the memories that were to be deleted after a commit."""
    return {id for one in log.commits(vault.repo, only=[commit]) for id in one.operation.get(_ARCHIVED)}


def _made(
    vault: Vault, view: ChunkView, fresh: Iterable[TreeChunk], problems: list[Problem]
) -> Iterator[tuple[TreeChunk, ImportedChunk]]:
    """The notes of new chunks, without their links; each is added to the view."""
    names = NewNames(vault)
    for number, one in enumerate(fresh):
        content, created = one.chunk.content, one.chunk.metadata.created

        def path_of(name: str, created: str = created) -> str:
            return layout.path_for(name, created, vault.config)

        path = path_of(names.made(titles.of_text(content), content, path_of))
        identity = _identity(one.chunk, number)
        try:
            data = edit.new_note(path, one.chunk, {"id": identity, "category": "past"}, view.count)
        except UsageError as error:
            problems.append(values.left_out(one.source, error.message, error.hint))
            continue
        view.note(path, chunkview.projected(vault.parse(data, path), "", view.count)[0])
        yield one, ImportedChunk(one.source, one.chunk.id, identity, path, data, one.archived, _use(one.chunk))


def _in_order(fresh: Iterable[TreeChunk], ranks: Mapping[str, int]) -> Iterator[TreeChunk]:
    """The chunks in order of creation.

    Chunks of the same instant are ordered so that each comes after those it follows, else by rank, then by id.
    """

    def when(one: TreeChunk) -> datetime:
        return datetime.fromisoformat(one.chunk.metadata.created)

    for _, group in groupby(sorted(fresh, key=when), when):
        members = {one.chunk.id: one for one in group}
        left = sorted(members, key=lambda id: (ranks.get(id, len(ranks)), id), reverse=True)
        entered: set[str] = set()
        while left:
            id = left[-1]
            if id in entered or id not in members:
                left.pop()
                if id in members:
                    yield members.pop(id)
            else:  # those that it follows come first
                entered.add(id)
                followed = members[id].chunk.links.follows
                left += [other for other in followed if other in members and other not in entered]


def _identity(chunk: Chunk, number: int) -> str:
    """The id of a chunk's note, the same in every import of the tree; ids sort in order of creation."""
    import hashlib

    digest = int.from_bytes(hashlib.sha256(chunk.id.encode()).digest()[:8], "big") >> (64 - _HASHED)
    millis = int(datetime.fromisoformat(chunk.metadata.created).timestamp() * 1000)
    return remember.uuid7(max(millis, 0), number << _HASHED | digest)


def _use(chunk: Chunk) -> Use | None:
    last = chunk.metadata.last_accessed
    if not chunk.metadata.access_count and last is None:
        return None
    return Use(chunk.metadata.access_count, datetime.fromisoformat(last).timestamp() if last else 0)


# -- their links ---------------------------------------------------------------------------------------------


def _linked(
    view: ChunkView,
    made: Sequence[tuple[TreeChunk, ImportedChunk]],
    problems: list[Problem],
    progress: Callable[[int], None],
) -> Iterator[ImportedChunk]:
    """The notes with those of their links that are not computed anyway."""
    by_id = {one.chunk.id for one, _ in made if one.archived}
    conversations: dict[str, list[str]] = {}
    for head, part in view.places():
        conversations.setdefault(head.conversation, []).append(head.ids[part])
    for done, (one, item) in enumerate(made, 1):
        place = view.find(one.chunk.id)
        assert place is not None
        wanted = one.chunk.links.to_dict()
        wanted["context_of"] = list(_resolved(view, conversations, wanted["context_of"]))
        if odd := sorted({id[:80] for ids in wanted.values() for id in ids if not schema.is_id(id)}):
            message = f"has links to what cannot be an id, left out: {', '.join(map(repr, odd))}"
            problems.append(values.not_carried(one.source, message, "link to the ids of chunks"))
        changes = edit.link_changes(view, place, memory.parse(item.data, item.path), wanted, by_id)
        yield item._replace(data=fields.set_fields(item.data, changes, item.path)) if changes else item
        progress(done)


def _resolved(view: ChunkView, conversations: Mapping[str, list[str]], names: Iterable[str]) -> Iterator[str]:
    """Ids of chunks. A name may also stand for a whole conversation, as in the example of the specification."""
    for name in names:
        yield from [name] if view.find(name) else conversations.get(name, [name])
