"""Imports chunk trees of RLM-MEM (`brain/memory`) into a vault: planned as a whole, then written in two commits.

Active chunks become notes. So do archived ones, whose notes are deleted again at once, so that `mdmem trash`
lists them and `restore` brings them back. The tree's indexes only decide the order of chunks of the same time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from math import isfinite
from typing import Any, NamedTuple

from mdmem.errors import MdmemError, NoteError, Problem, UsageError, is_text
from mdmem.history import past
from mdmem.note import fields, memory, moments, properties, titles
from mdmem.store.git import log
from mdmem.store.local import files
from mdmem.store.local.usage import Use
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems import intake
from mdmem.systems.importers import folders
from mdmem.systems.intake import ImportProblems, Intake, Item, NewNames
from mdmem.systems.rlm import mirror, projection, schema
from mdmem.systems.rlm import view as chunkview
from mdmem.systems.rlm.linking import Node
from mdmem.systems.rlm.schema import Chunk
from mdmem.systems.rlm.view import ChunkView
from mdmem.write import remember

_ARCHIVED = "Archived"  # trailer with the id of a memory that the next commit is to delete
_HASHED = 42  # bits of an id that distinguish memories of different trees
_TREES = ("brain/memory", "memory", "")
_CHUNKS, _ARCHIVE = "chunks", "archive"
_MOST = 2**53  # limit for the tokens of a chunk, and for its access count

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


class TreeChunk(NamedTuple):
    """A chunk of the tree, its file, and whether it is in the archive; then its memory's id, path and bytes."""

    source: str
    chunk: Chunk
    archived: bool
    memory: str = ""
    path: str = ""
    data: bytes = b""


@dataclass(frozen=True)
class ChunkIntake(Intake):
    """What an import would do; `known` maps the files of chunks that exist already to their ids.

    `to_delete` are the paths of archived chunks, to be deleted again: of this import, and of one that was
    interrupted before it did; `tree` is the folder.
    """

    to_delete: Sequence[str]
    tree: str


def plan(vault: Vault, given: str, progress: Progress, allow_secret: bool = False) -> ChunkIntake:
    """Read the tree at or below `given` and plan the import. Nothing is written.

    Chunks that hold a secret are left out unless `allow_secret`.
    `progress` gets (done, total) chunks. Raises UsageError for a tokenizer that is not installed.
    """
    inner = (os.path.normpath(os.path.join(given, path)) for path in _TREES)
    tree = next((place for place in inner if os.path.isdir(os.path.join(place, _CHUNKS))), os.path.normpath(given))
    problems = ImportProblems()
    sources = list(_sources(tree, problems))
    if not sources and not os.path.isdir(os.path.join(tree, _CHUNKS)):
        problems.left_out("", f"holds no folder {_CHUNKS}", "give the folder that it is in")
    read = []
    for done, (source, archived) in enumerate(sources, 1):
        if made := _read(tree, source, problems):
            read.append(TreeChunk(source, made, archived))
        progress(done, 2 * len(sources))
    view = ChunkView(vault)
    view.refresh()
    fresh, known, unfinished = _sorted_out(vault, view, _distinct(read, problems), problems)
    fresh = intake.without_secrets(
        vault, fresh, lambda one: (one.source, one.chunk.content), problems, allow_secret
    )
    notes = list(_notes(vault, view, _in_order(fresh, _ranks(tree)), problems))
    items = tuple(_linked(view, notes, problems, lambda done: progress(len(sources) + done, 2 * len(sources))))
    progress(len(sources), len(sources))
    shown = sorted(folders.at(tree, problems))
    gone = [one for one in notes if one.archived]
    to_delete = [*unfinished, *(one.path for one in gone)]
    uses = {one.memory: use for one in notes if (use := _use(one.chunk))}
    marks = [(_ARCHIVED, one.memory) for one in gone]
    return ChunkIntake(items, known, tuple(shown), to_delete, tree, trailers=marks, uses=uses)


def write(vault: Vault, planned: ChunkIntake, caller: Caller, reason: str = "") -> str:
    """Write a plan and return the id of its first commit, "" if there was nothing to do.

    One commit adds all chunks, a second one deletes those of the archive. Raises ConflictError if one of the paths
    has been taken since. A tree in the place of the vault's mirror becomes the mirror.
    """
    with vault.following():
        commit = intake.write(vault, planned, caller, reason)
        told = reason or "In the archive of the tree that was imported."
        with vault.change(caller.does("delete", told), allow_loss=True) as gone:
            for path in planned.to_delete:
                gone.delete(path)
    mirrored = os.path.join(vault.root, vault.config.mirror.folder)
    if planned.tree and os.path.realpath(planned.tree) == os.path.realpath(mirrored):
        mirror.adopt(vault, _replaceable(vault, planned))
        mirror.switch_on(vault, caller)
    return commit or gone.commit


def _replaceable(vault: Vault, planned: ChunkIntake) -> list[str]:
    """The files of a tree in the mirror's place that hold nothing the vault does not, and its indexes."""
    doubted = {os.path.relpath(one.path, planned.tree) for one in planned.problems if one.code == "import"}
    sources = {item.facts["source"] for item in planned.items} | planned.known.keys()
    listed = [f"index/{name}.json" for name in mirror.INDEXES]
    base = mirror.JsonMirror(vault.config).base
    return [base + path for path in [*sorted(sources - doubted), *listed]]


# -- the tree ------------------------------------------------------------------------------------------------


def _sources(tree: str, problems: ImportProblems) -> Iterator[tuple[str, bool]]:
    """(path within the tree, whether it is archived) of every JSON file, the archive last; links are skipped."""
    unlisted = partial(folders.note_unlisted, tree, problems)
    tops = [top for top in (_CHUNKS, _ARCHIVE) if os.path.isdir(os.path.join(tree, top))] or [""]
    for top in tops:
        for inner in files.walk(
            os.path.join(tree, top), unlisted, lambda place: place != os.path.join(tree, "index")
        ):
            path = os.path.join(top, inner)
            place = os.path.join(tree, path)
            if not (inner.lower().endswith(".json") or os.path.isdir(place)):
                continue
            if os.path.islink(place) or not os.path.isfile(place) or not is_text(path):
                shown = path.encode("utf-8", "backslashreplace").decode()
                fix = "copy its contents there, under a plain name"
                problems.left_out(shown, "is not a regular file, or its name is not text", fix)
            else:
                yield path, top == _ARCHIVE


def _read(tree: str, source: str, problems: ImportProblems) -> Chunk | None:
    """The chunk in a file; None, and a problem, if there is none in it."""
    try:
        made, doubts = _chunk(files.read(tree, source))
    except NoteError as error:
        problems.append(error.problem._replace(code="import", path=source))
    except (MdmemError, ValueError, OverflowError) as error:
        problems.left_out(source, f"is not a chunk: {error}", "fix it, then import again")
    else:
        problems += [Problem(code, source, 0, said, fix, "warning") for code, said, fix in doubts]
        return made
    return None


def _chunk(data: bytes) -> tuple[Chunk, list[tuple[str, str, str]]]:
    """(chunk, what the schema says against it). Raises ValueError if the bytes are not a chunk."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("the document is nested too deeply") from None
    metadata = document.get("metadata") if isinstance(document, dict) else None
    if isinstance(metadata, dict):
        for key in ("created", "last_accessed"):
            if isinstance(written := metadata.get(key), str | int | float):
                metadata[key] = _moment(written)
    made = Chunk.from_dict(document)
    if not schema.is_id(made.id):
        raise ValueError(f"its id cannot be {made.id[:80]!r}")
    properties.require_utf8(made.to_dict())
    if not isfinite(made.metadata.confidence):
        raise ValueError(f"metadata.confidence cannot be {made.metadata.confidence}")
    if abs(made.tokens) >= _MOST:
        raise ValueError("tokens cannot be that many")
    if not 0 <= made.metadata.access_count < _MOST:
        raise ValueError(f"metadata.access_count cannot be {made.metadata.access_count}")
    return made, list(_doubts(document, made))


def _doubts(document: Mapping[str, Any], made: Chunk) -> Iterator[tuple[str, str, str]]:
    """(code, message, fix) of what is lost of a document ("import"), or kept against the schema ("chunk")."""
    known = made.to_dict()
    unknown = [*document.keys() - known.keys()]
    for part in ("metadata", "links"):
        unknown += [f"{part}.{key}" for key in (document.get(part) or {}).keys() - known[part].keys()]
    if unknown:
        names = ", ".join(sorted(key[:80] for key in unknown))
        yield "import", f"has keys that the schema does not know, left out: {names}", "put them into its content"
    if "links" not in document:
        yield "chunk", "has no links, which the schema requires", "add them"
    for fault in schema.faults(made.type, made.metadata.source, made.metadata.confidence):
        yield (
            "chunk",
            f"its {fault.field} {fault.message}: ChunkStore does not read its memory",
            "give it a value of the schema",
        )


def _moment(written: str | float) -> str:
    """A point in time as the schema writes it; UTC without a zone, Unix time as a number. Raises ValueError."""
    try:
        when = datetime.fromisoformat(written) if isinstance(written, str) else moments.parse(written)
    except ValueError:
        when = moments.parse(written)
    if when is None:
        raise ValueError(f"{str(written)[:80]!r} is not a date")
    try:
        when = when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{str(written)[:80]!r} is out of range") from None
    return when.replace(tzinfo=None).isoformat() + "Z"


def _ranks(tree: str) -> dict[str, int]:
    """id -> its position in the tree's own index, which is in order of creation; empty if the index is broken."""
    try:
        entries = json.loads(files.read(tree, "index/metadata_index.json"))["entries"]
        return {id: rank for rank, id in enumerate(dict(entries))}
    except (MdmemError, ValueError, KeyError, TypeError, RecursionError):
        return {}


# -- what is new ---------------------------------------------------------------------------------------------


def _distinct(read: Iterable[TreeChunk], problems: ImportProblems) -> list[TreeChunk]:
    """The chunks without those whose id, ignoring case, an earlier chunk has."""
    found, repeated = intake.distinct(read, lambda one: one.chunk.id.lower())
    for one, other in repeated:
        if one.chunk != other.chunk:
            message = f"has the id of {other.source}, but different content; left out"
            problems.left_out(one.source, message, "give one of them another id")
    return found


def _sorted_out(
    vault: Vault, view: ChunkView, read: Sequence[TreeChunk], problems: ImportProblems
) -> tuple[list[TreeChunk], dict[str, str], list[str]]:
    """(new chunks, known chunks, archived chunks that an interrupted import left undeleted)."""
    trash = (chunkview.deleted(vault, item, view.count) for item in past.trash(vault))  # permanent deletions, too
    deleted = {node.id.lower() for found in trash for node in found}
    fresh, known, unfinished = [], {}, []
    to_delete = cache(lambda: _to_delete(vault))

    for one in read:
        id = one.chunk.id
        if not view.has(id) and id.lower() not in deleted:
            fresh.append(one)
            continue
        known[one.source] = id
        node = view.find(id)
        if not view.has(id):
            if not one.archived:
                problems.not_carried(
                    one.source, "was deleted in the vault since; left deleted", "mdmem trash lists it"
                )
        elif node is None:
            message = "is in the vault as a chunk whose id differs in case, with another text; that one stays"
            problems.left_out(one.source, message, "compare them")
        elif _content(vault, view, node) != one.chunk.content:
            problems.another_text(one.source, node.path)
        elif one.archived and _is_untouched(vault, node.path, to_delete):
            unfinished.append(node.path)
        elif one.archived:
            message = f"is active in the vault as {node.path}; left active"
            problems.not_carried(one.source, message, "mdmem forget it if it should go")
    return fresh, known, unfinished


def _content(vault: Vault, view: ChunkView, node: Node) -> str:
    return projection.nodes_of(vault.get(node.path), node.created, view.count)[node.part].content


def _is_untouched(vault: Vault, path: str, to_delete: Callable[[], Set[str]]) -> bool:
    """Whether a memory is still as written by an import that was to delete it afterwards."""
    versions, record = vault.index.versions(path), vault.index.record(path)
    return (
        record is not None
        and len(versions) == 1
        and vault.repo.file(versions[0].blob, path) == vault.read(path)
        and record.id in to_delete()
    )


def _to_delete(vault: Vault) -> set[str]:
    """The ids of the memories that imports were to delete after their first commit."""
    imports = log.messages(vault.repo, f"--grep=^Memory-{_ARCHIVED}: ", "HEAD")
    return {id for one in imports for id in one.operation.get(_ARCHIVED)}


def _notes(
    vault: Vault, view: ChunkView, fresh: Iterable[TreeChunk], problems: ImportProblems
) -> Iterator[TreeChunk]:
    """New chunks as notes, as yet without links; each is added to the view."""
    names = NewNames(vault)
    for number, one in enumerate(fresh):
        content = one.chunk.content
        path = intake.path_for(vault, names, titles.of_text(content), content, one.chunk.metadata.created)
        identity = _identity(one.chunk, number)
        try:
            data = projection.new_note(path, one.chunk, {"id": identity, "category": "past"}, view.count)
        except UsageError as error:
            problems.left_out(one.source, error.message, error.hint)
            continue
        view.note(path, projection.nodes_of(vault.parse(data, path), "", view.count))
        yield one._replace(memory=identity, path=path, data=data)


def _in_order(fresh: Iterable[TreeChunk], ranks: Mapping[str, int]) -> list[TreeChunk]:
    """The chunks in order of creation; those of the same instant by rank, then by id."""

    def order(one: TreeChunk) -> tuple[datetime, int, str]:
        id = one.chunk.id
        return datetime.fromisoformat(one.chunk.metadata.created), ranks.get(id, len(ranks)), id

    return sorted(fresh, key=order)


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
    view: ChunkView, notes: Sequence[TreeChunk], problems: ImportProblems, progress: Callable[[int], None]
) -> Iterator[Item]:
    """The notes with those of their links that are not computed anyway."""
    by_id = {one.chunk.id for one in notes if one.archived}
    conversations: dict[str, list[str]] = {}
    for node in view.nodes():
        conversations.setdefault(node.conversation, []).append(node.id)
    for done, one in enumerate(notes, 1):
        placed = view.find(one.chunk.id)
        assert placed is not None
        wanted = one.chunk.links.to_dict()
        wanted["context_of"] = list(_resolved(view, conversations, wanted["context_of"]))
        if odd := sorted({id[:80] for ids in wanted.values() for id in ids if not schema.is_id(id)}):
            message = f"has links to what cannot be an id, left out: {', '.join(map(repr, odd))}"
            problems.not_carried(one.source, message, "link to the ids of chunks")
        changes = view.link_changes(placed, memory.parse(one.data, one.path), wanted, by_id)
        facts = {"id": one.chunk.id, "source": one.source, "path": one.path, "archived": one.archived}
        yield Item(one.path, fields.set_fields(one.data, changes, one.path) if changes else one.data, facts)
        progress(done)


def _resolved(view: ChunkView, conversations: Mapping[str, list[str]], names: Iterable[str]) -> Iterator[str]:
    """Ids of chunks. A name may also stand for a whole conversation, as in the example of the specification."""
    for name in names:
        yield from [name] if view.find(name) else conversations.get(name, [name])
