"""`ChunkStore`: creates, reads, changes, deletes and restores the chunks of a vault.

Every write is a commit; all writes within a `batch` are one. Reading changes nothing but the use counts.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from functools import wraps
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, UsageError
from mdmem.history import past, trail
from mdmem.note import fields, titles
from mdmem.note.filters import Filter
from mdmem.note.memory import Memory
from mdmem.recall import ask
from mdmem.store import config, identity, layout
from mdmem.store.index.port import MEMORIES
from mdmem.store.local import files, place, usage
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import linking, projection, schema, view
from mdmem.systems.rlm.cut import detect_type
from mdmem.systems.rlm.linking import Node
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, Chunk, ChunkLinks, ChunkMetadata, stamp_of
from mdmem.systems.rlm.view import ChunkView
from mdmem.write import remember

logger = logging.getLogger("mdmem.chunks")
_UNREADABLE = (NoteError, NotFoundError, UsageError)  # the last for a symbolic link
_P = ParamSpec("_P")
_T = TypeVar("_T")


class IndexView(dict[str, Any]):
    """An index as it is now: a dict, with the methods that programs for the public package call."""

    def get_all_keys(self) -> list[str]:
        """The keys."""
        return list(self)

    def get_list(self, key: str) -> list[str]:
        """The ids listed under a key; none for an unknown key."""
        return list(self.get(key, ()))


def one_at_a_time(method: Callable[Concatenate[ChunkStore, _P], _T]) -> Callable[Concatenate[ChunkStore, _P], _T]:
    """Hold the store's lock during a method, since threads may share a store."""

    @wraps(method)
    def locked(self: ChunkStore, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        with self._lock:
            return method(self, *args, **kwargs)

    return locked


class ChunkStore:
    """The chunks of the vault at `base_path`; a folder that is not a vault is made one.

    `actor` is the agent that writes, "" for git's user; `clock` tells the time. Close it, or use `with`.
    """

    def __init__(
        self,
        base_path: str | os.PathLike[str] = "brain/memory",
        actor: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        max_sensitivity: str = "",
        scopes: Sequence[str] = (),
    ) -> None:
        """Only chunks up to `max_sensitivity` ("": what the caller may see) and of `scopes` are visible.

        Raises MdmemError for a folder that cannot be a vault, UsageError for more than an agent may see.
        """
        self.base_path = Path(base_path)
        self._actor = actor or identity.actor_of(os.environ)
        self._clock = clock
        self._last = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.RLock()
        self.vault = opened(str(self.base_path), self._caller())
        self.vault.clear_for(self._actor, max_sensitivity, scopes)
        self._view = ChunkView(self.vault)
        self._tx: Transaction | None = None
        self._actions: set[str] = set()
        self._sessions: set[str] = set()
        mirror = Path(self.vault.root, self.vault.config.mirror.folder)
        self.chunks_path, self.index_path, self.archive_path = (
            mirror / name for name in ("chunks", "index", "archive")
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @one_at_a_time
    def close(self) -> None:
        """Release the vault's index and git's helper processes; the next call opens them again."""
        self.vault.close()
        self._view.forget()

    def _caller(self) -> Caller:
        return Caller(self._clock(), self._actor)

    def _now(self) -> datetime:
        """The time, later than that of the previous chunk: chunks are ordered by it."""
        self._last = max(self._clock().astimezone(UTC), self._last + timedelta(microseconds=1))
        return self._last

    # -- reading -------------------------------------------------------------------------------------------

    @one_at_a_time
    def get_chunk(self, chunk_id: str) -> Chunk | None:
        """A chunk with its links; this use of it is counted. None if it does not exist or cannot be read.

        It cannot if its type, source or confidence is none of the schema's (logged): `update_chunk` sets another.
        """
        if self.peek(chunk_id) is None:
            logger.debug("no chunk %.200s", chunk_id)
            return None
        self.count_uses([chunk_id])
        logger.info("retrieved %s", chunk_id)
        return self._chunk(self._view.find(chunk_id))

    @one_at_a_time
    def peek(self, chunk_id: str) -> Chunk | None:
        """A chunk as `get_chunk` returns it, without counting the use."""
        node = self._find(chunk_id)
        made = self._told(node)
        return made if node and _is_sound(node) else None

    @one_at_a_time
    def recalled(self, query: str, conditions: Sequence[Filter], limit: int) -> list[tuple[float, Chunk]]:
        """(score, chunk) of the memories that best answer a query, best first; no use is counted.

        A memory of several chunks is represented by the one with the passage. Raises UsageError.
        """
        self._look(True)
        found = []
        asked = ask.Query((query,), tuple(conditions), limit, kinds=MEMORIES)
        for answer in ask.ask(self.vault, asked, self._clock(), counted=False):
            nodes = self._view.memories.get(answer.hit.record.path)
            if nodes and _is_sound(nodes[0]):
                found.append((answer.hit.score, self._view.chunk(nodes[view.part_of(answer.hit, nodes)])))
        logger.info("found %d chunks", len(found))
        alike = (group for _, group in groupby(found, itemgetter(0)))  # to the index, also those of one second
        return [
            one for group in alike for one in sorted(group, key=lambda it: it[1].metadata.created, reverse=True)
        ]

    @one_at_a_time
    def count_uses(self, ids: Iterable[str]) -> None:
        """Count one use of each of these chunks."""
        nodes = (self._view.find(id) for id in ids)
        usage.add(self.vault.root, list(dict.fromkeys(node.memory for node in nodes if node)), self._clock())

    @one_at_a_time
    def list_chunks(
        self,
        conversation_id: str | None = None,
        tags: Sequence[str] | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
    ) -> list[str]:
        """The ids of the chunks in a conversation, with all of `tags`, created in a period; in order of creation.

        Both ends of the period are included; a datetime without a zone is taken as UTC.
        """
        after, before = (_aware(moment) for moment in (created_after, created_before))
        wanted = {*schema.tags_given(tags)}
        found = [
            node.id
            for node in self._all()
            if conversation_id in (None, "", node.conversation)
            and wanted <= {*node.tags}
            and (after is None or after.timestamp() <= node.when)
            and (before is None or node.when <= before.timestamp())
        ]
        logger.info("listed %d chunks", len(found))
        return found

    @one_at_a_time
    def get_stats(self) -> dict[str, Any]:
        """The statistics total_chunks, archived_chunks, by_type (type -> count), storage_path."""
        nodes = self._all()
        logger.info("counted %d chunks", len(nodes))
        archived = (chunks for _, chunks in view.trash(self.vault, self._view.count))
        return {
            "total_chunks": len(nodes),
            "archived_chunks": sum(map(len, archived)),
            "by_type": dict(Counter(node.type for node in nodes)),
            "storage_path": str(self.base_path),
        }

    @property
    def metadata_index(self) -> IndexView:
        """id -> type, conversation_id, created and confidence of every chunk."""
        return IndexView({node.id: node.entry for node in self._all()})

    @property
    def tag_index(self) -> IndexView:
        """tag -> the ids of the chunks that have it."""
        return IndexView(linking.by_tag(self._all()))

    @property
    def link_graph(self) -> IndexView:
        """id -> the links of the chunk, by kind, for every chunk."""
        with self._lock:
            return IndexView({node.id: self._view.graph.links(node).to_dict() for node in self._all()})

    # -- writing -------------------------------------------------------------------------------------------

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Put all writes of the block into one commit; an exception discards them. Other writers wait meanwhile.

        Raises BusyError if another writer does not finish, StoppedError for deleting too many chunks at once.
        """
        with self._lock:
            if self._tx is not None:
                yield
                return
            with self.vault.following(), ExitStack() as on_failure:
                on_failure.callback(self._view.forget)
                with self.vault.change(self._caller().does("create")) as tx:
                    self._view.refresh()
                    before = self.vault.index.edition()
                    self._tx, self._actions, self._sessions = tx, set(), set()
                    try:
                        yield
                    finally:
                        self._tx = None
                    tx.operation = tx.operation._replace(
                        action=self._actions.pop() if len(self._actions) == 1 else "revise",
                        session=self._sessions.pop() if len(self._sessions) == 1 else "",
                    )
                on_failure.pop_all()
                self._view.confirm(before)

    @contextmanager
    def _changing(self, action: str, session: str = "") -> Iterator[Transaction]:
        with self.batch():
            assert self._tx is not None
            self._actions.add(action)
            self._sessions.add(session)
            yield self._tx

    def create_chunk(
        self,
        content: str,
        chunk_type: str | None,
        conversation_id: str,
        tokens: int,
        tags: Sequence[str] | None = None,
        confidence: float = DEFAULT_CONFIDENCE,
        links: ChunkLinks | Mapping[str, Any] | None = None,
    ) -> Chunk:
        """Write a new chunk as a note, in one commit. Type, tokens and confidence are stored as given.

        `links` are those that are not computed (supports, contradicts ...). Raises BusyError, and, before anything
        is written, UsageError for values that no note can hold (text that is not UTF-8, a confidence that is not
        finite).
        """
        tags = schema.tags_given(tags)
        given = {"content": content, "tokens": tokens, "tags": tags, "confidence": confidence, "links": links}
        projection.require_sound(given)
        with self._changing("create", conversation_id) as tx:
            now = self._now()
            created = stamp_of(now)
            identity = remember.new_id(now)
            while self._view.has(id := schema.derived_id(identity, created)):
                identity = remember.new_id(now)
            kind = detect_type(content) if chunk_type is None else str(chunk_type)
            metadata = ChunkMetadata(created, conversation_id, confidence=confidence)
            made = Chunk(id, content, tokens, kind, metadata, tags=tags)
            name = remember.free_name(self.vault, tx, titles.of_text(content), content, created)
            path = layout.path_for(name, created, self.vault.config)
            extra = {"id": identity, "category": "past", **({"actor": self._actor} if self._actor else {})}
            self._put(path, projection.new_note(path, made, extra, self._view.count))
            self._link(path, id, links)
        logger.info("created %s", id)
        done = self._told(self._find(id))
        assert done is not None
        return done

    @one_at_a_time
    def update_chunk(self, /, chunk_id: str, **updates: Any) -> Chunk | None:
        """Change a chunk in one commit; None if there is none, or if its note may not change like that (logged).

        Of `updates`, content, type, tags, confidence and links are used, and tokens together with content. A chunk
        that is part of a longer memory shares everything but its content with the other parts. Raises UsageError
        for values that no note can hold, before anything is written, NoteError for a note with a broken header,
        BusyError.
        """
        found = self._find(chunk_id)
        if found is None:
            logger.warning("no chunk to update: %.200s", chunk_id)
            return None
        if "tags" in updates:
            updates["tags"] = schema.tags_given(updates["tags"])
        projection.require_sound(updates)
        with self._changing("revise", found.conversation):
            node = self._view.find(chunk_id)
            if node is None:  # another process deleted it in the meantime
                return None
            path = node.path
            before = data = self._data(path)
            if "content" in updates:
                data = self._with_content(node, data, updates["content"], updates.get("tokens"))
            data = fields.set_fields(data, projection.changes_for(updates), path)
            if wrong := projection.objection(path, before, data):
                logger.warning("not updated: %s %s", path, wrong)
                return None
            self._put(path, data)
            self._link(path, chunk_id, updates.get("links"))
        logger.info("updated %s", chunk_id)
        return self._told(self._find(chunk_id))

    def _with_content(self, node: Node, data: bytes, content: str, tokens: int | None) -> bytes:
        note, nodes = self._read(node.path)
        if len(nodes) > 1:
            return projection.with_part(data, note, nodes, node.part, content)
        count = self._view.count
        changed = node._replace(content=content, tokens=count(content) if tokens is None else tokens)
        return projection.with_content(data, note.path, changed.chunk(ChunkLinks()), count)

    def _link(self, path: str, chunk_id: str, links: ChunkLinks | Mapping[str, Any] | None) -> None:
        node = self._view.find(chunk_id)
        if links is None or node is None:
            return
        wanted = (links if isinstance(links, ChunkLinks) else ChunkLinks.from_dict(links)).to_dict()
        if odd := {id for ids in wanted.values() for id in ids if not schema.is_id(id)}:
            logger.warning("not linked to what is not a chunk id: %.200s", sorted(odd))
        changes = self._view.link_changes(node, self._read(path)[0], wanted)
        if changes:
            self._put(path, fields.set_fields(self._data(path), changes, path))

    @one_at_a_time
    def delete_chunk(self, chunk_id: str, permanent: bool = False) -> bool:
        """Delete a chunk in one commit; False if there is none, or if its note says `deletion_policy: never`.

        `restore_chunk` brings it back, unless it was deleted with `permanent`: then only git still has it. A part
        of a longer memory takes the whole memory with it.
        """
        found = self._find(chunk_id)
        if found is None:
            logger.warning("no chunk to delete: %.200s", chunk_id)
            return False
        with self._changing("delete", found.conversation) as tx:
            node = self._view.find(chunk_id)
            if node is None:  # another process deleted it in the meantime
                return False
            path = node.path
            note, nodes = self._read(path)
            if note.text("deletion_policy") == "never":
                logger.warning("not deleted: %s says deletion_policy: never", path)
                return False
            if len(nodes) > 1:
                logger.warning("%s is a part of %s: all %d parts go", chunk_id, path, len(nodes))
            if permanent:
                tx.operation = tx.operation._replace(extra=(*tx.operation.extra, (trail.PERMANENT, note.id)))
            tx.delete(path)
            self._view.note(path, None)
        logger.info("deleted %s%s", chunk_id, " permanently" if permanent else "")
        return True

    @one_at_a_time
    def restore_chunk(self, chunk_id: str) -> Chunk | None:
        """Restore a deleted chunk with its id; None if there is none, or its name is in use again."""
        if not schema.is_id(chunk_id) or self._find(chunk_id):
            return None
        deleted = view.trash(self.vault, self._view.count)
        item = next((item for item, nodes in deleted if chunk_id in [node.id for node in nodes]), None)
        if item is None:
            logger.warning("no deleted chunk: %s", chunk_id)
            return None
        with self._changing("restore") as tx:
            try:
                data = past.restorable(self.vault, tx, item)
            except ConflictError as error:
                logger.warning("%s cannot be restored: %s", chunk_id, error)
                return None
            self._put(item.path, data)
        logger.info("restored %s", chunk_id)
        return self._told(self._find(chunk_id))

    # -- helpers -------------------------------------------------------------------------------------------

    def _all(self) -> list[Node]:
        with self._lock:
            self._look(True)
            return [node for node in self._view.nodes() if _is_sound(node)]

    def _find(self, chunk_id: str) -> Node | None:
        """A chunk as it is now. All files are looked at only if its own is not as it was.

        What differs even then is what the reader may not see.
        """
        if not schema.is_id(chunk_id):
            return None
        for thoroughly in (False, True):
            self._look(thoroughly)
            node = self._view.find(chunk_id)
            if node is None:
                continue
            try:
                now = self._read(node.path)[1]
            except _UNREADABLE as error:
                logger.warning("%s cannot be read: %s", chunk_id, error)
                continue
            if thoroughly or _without_ids(now) == _without_ids(self._view.memories[node.path]):
                return node
        return None

    def _look(self, thoroughly: bool) -> None:
        """Notice what others wrote: their commits and, if `thoroughly`, also their uncommitted changes."""
        if self._tx is not None:
            return
        if thoroughly:
            self.vault.whole_index.freshen()
        else:
            self.vault.whole_index.follow_head()
        self._view.refresh()

    def _chunk(self, node: Node | None) -> Chunk | None:
        """A chunk with its links and its use, as far as the reader may see it."""
        if node is None:
            return None
        made = self._view.chunk(node, usage.of(self.vault.root, node.memory))
        made.content = self.vault.index.concealed.redact(made.content)
        return made

    def _data(self, path: str) -> bytes:
        return self._tx.require(path) if self._tx is not None else self.vault.read(path)

    def _read(self, path: str) -> tuple[Memory, list[Node]]:
        """A note as it is now, staged or on disk, and its chunks. Raises NoteError, NotFoundError."""
        note = self.vault.parse(self._data(path), path)
        for problem in filter(view.is_broken, note.problems):
            raise NoteError(problem)
        record = None if note.created else self.vault.index.record(path)
        return note, projection.nodes_of(note, record.created if record else "", self._view.count)

    def _told(self, node: Node | None) -> Chunk | None:
        """A chunk with its links and its use. Values that the schema does not allow are logged."""
        if made := self._chunk(node):
            for objection in schema.objections(made):
                logger.warning("%s: %s %s", made.id, objection.field, objection.message)
        return made

    def _put(self, path: str, data: bytes) -> None:
        assert self._tx is not None
        self._tx.write(path, data)
        self._view.note(path, self._read(path)[1])


def init_storage(base_path: str | os.PathLike[str] = "brain/memory") -> ChunkStore:
    """The chunk store of a folder, which is made a vault if it is not one."""
    return ChunkStore(base_path)


def _without_ids(nodes: Iterable[Node]) -> list[Node]:
    return [node._replace(id="") for node in nodes]


def _is_sound(node: Node) -> bool:
    """Whether a chunk has values that the schema allows."""
    return not any(schema.faults(node.type, node.source, node.confidence))


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


# -- the vault of a folder -------------------------------------------------------------------------------------
#
# Finds or makes the vault for the folder of a chunk store.


def opened(folder: str, caller: Caller) -> Vault:
    """The vault at a folder, or whose memories lie in or around that folder; else a new vault in the folder.

    A new vault takes over the chunks in its folder, and its mirror is turned on. Raises MdmemError for a folder
    that cannot be a vault.
    """
    folder = os.path.realpath(folder)
    root = _root_of(folder)
    if root is not None:
        return Vault(root, _tell)
    from mdmem.store.vault import starter

    try:
        made = starter.make(folder, caller, examples=False, tell=logger.info)
    except OSError as error:
        raise MdmemError(
            f"{folder} cannot be made a vault: {error.strerror}", "name a folder to write to"
        ) from None
    with Vault(made.root, _tell) as vault:
        _take_over(vault, caller)
    return Vault(made.root, _tell)


def _take_over(vault: Vault, caller: Caller) -> None:
    """Import the chunks that lie in a new vault's folder, and keep the JSON there up to date."""
    from mdmem.systems.rlm import importing, mirror

    planned = importing.plan(vault, vault.root, silent)
    importing.write(vault, planned, caller)
    mirror.switch_on(vault, caller)
    if planned.items:
        logger.info("took over %d chunks of %s", len(planned.items), vault.root)
    for problem in planned.problems:
        logger.warning("%s", problem)


def _tell(line: str) -> None:
    """Log a vault's message; one about a write that something did not follow is a warning."""
    logger.log(logging.WARNING if line.startswith("saved;") else logging.INFO, "%s", line)


def _root_of(folder: str) -> str | None:
    """The vault whose memories are in the folder, or around it; else the folder itself if it is one, else None."""
    itself = None
    around = place.find(folder)
    while around is not None:
        if around == folder:
            itself = folder
        data = files.read_or_none(around, config.FILE)
        inner = os.path.relpath(folder, around).replace(os.sep, "/")
        memories = config.read(data or b"")[0].memories
        if f"{inner}/".startswith(f"{memories}/"):
            return around
        if data is not None and (inner == "." or memories.startswith(f"{inner}/")):
            return around
        around = place.find(os.path.dirname(around)) if os.path.dirname(around) != around else None
    return itself
