"""`ChunkStore`: the chunks of a vault, created, read, changed, deleted and brought back.

Every write is a commit; within `batch` all of them are one. Reading changes nothing but the counts of uses.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from mdmem.errors import ConflictError, NoteError, NotFoundError, UsageError
from mdmem.history import past
from mdmem.local import usage
from mdmem.note import fields, layout
from mdmem.note.filters import Filter
from mdmem.note.memory import Memory
from mdmem.operation import Caller
from mdmem.recall import ask
from mdmem.systems.rlm import edit, opening, projection, schema, view
from mdmem.systems.rlm.linking import ChunkHead
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, Chunk, ChunkLinks, ChunkMetadata
from mdmem.systems.rlm.view import ChunkPlace, ChunkView
from mdmem.vault.transaction import Transaction
from mdmem.write import remember

logger = logging.getLogger("mdmem.chunks")
_UNREADABLE = (NoteError, NotFoundError, UsageError)  # the last for a symbolic link
_P = ParamSpec("_P")
_T = TypeVar("_T")


class IndexView(dict[str, Any]):
    """An index as it is now: a dict, with the names that programs of the public package call."""

    def get_all_keys(self) -> list[str]:
        """The keys."""
        return list(self)

    def get_list(self, key: str) -> list[str]:
        """The ids listed under a key; none for a key that is not there."""
        return list(self.get(key, ()))


def _one_at_a_time(
    method: Callable[Concatenate[ChunkStore, _P], _T],
) -> Callable[Concatenate[ChunkStore, _P], _T]:
    """Threads may share a store."""

    @wraps(method)
    def locked(self: ChunkStore, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        with self._lock:
            return method(self, *args, **kwargs)

    return locked


class ChunkStore:
    """The chunks of the vault at `base_path`, a folder that is made a vault if it is none.

    `actor` is the agent that writes, "" for git's user; `clock` tells the time. Close it, or use `with`.
    """

    def __init__(
        self,
        base_path: str | os.PathLike[str] = "brain/memory",
        actor: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Raises MdmemError for a folder that cannot be a vault."""
        self.base_path = Path(base_path)
        self._actor = actor or os.environ.get("MDMEM_ACTOR", "")
        self._clock = clock
        self._last = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.RLock()
        self.vault = opening.opened(str(self.base_path), self._caller())
        self._view = ChunkView(self.vault)
        self._tx: Transaction | None = None
        self._actions: set[str] = set()
        self._sessions: set[str] = set()
        mirror = Path(self.vault.root, self.vault.config.mirror.folder)
        self.chunks_path, self.index_path, self.archive_path = (
            mirror / name for name in ("chunks", "index", "archive")
        )

    def __enter__(self) -> ChunkStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @_one_at_a_time
    def close(self) -> None:
        """Let go of the vault's index and of git's helper processes; the next call opens them again."""
        self.vault.close()
        self._view.forget()

    def _caller(self, session: str = "") -> Caller:
        return Caller(self._clock(), self._actor, session)

    def _now(self) -> datetime:
        """The time, later than that of the chunk created before: it tells their order."""
        self._last = max(self._clock().astimezone(UTC), self._last + timedelta(microseconds=1))
        return self._last

    # -- writing -------------------------------------------------------------------------------------------

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Have all that is written within in one commit; after an exception nothing is. Others wait meanwhile.

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
        chunk_type: str,
        conversation_id: str,
        tokens: int,
        tags: Sequence[str] | None = None,
        confidence: float = DEFAULT_CONFIDENCE,
        links: ChunkLinks | Mapping[str, Any] | None = None,
    ) -> Chunk:
        """Write a new chunk: a note, one commit. Types, tokens and confidence are taken as they are.

        `links` are those that nobody else would know of (supports, contradicts ...). Raises BusyError, and
        UsageError, before anything is written, for what no note can hold: no UTF-8, no finite confidence.
        """
        given = {"content": content, "tokens": tokens, "tags": tags, "confidence": confidence, "links": links}
        edit.require_sound(given)
        with self._changing("create", conversation_id) as tx:
            now = self._now()
            created = _stamp(now)
            metadata = ChunkMetadata(created, conversation_id, confidence=confidence)
            made = Chunk("", content, tokens, str(chunk_type), metadata, tags=list(tags or []))
            identity = remember.new_id(now)
            while self._view.has(id := schema.derived_id(identity, created)):
                identity = remember.new_id(now)
            made.id = id
            name = remember.free_name(self.vault, tx, remember.title_of(content), content, created)
            path = layout.path_for(name, created, self.vault.config)
            extra = {"id": identity, "category": "past", **({"actor": self._actor} if self._actor else {})}
            self._put(path, edit.new_note(path, made, extra, self._view.count))
            if links:
                self._link(path, id, links)
        logger.info("created %s", id)
        return self._seen(id)

    @_one_at_a_time
    def update_chunk(self, /, chunk_id: str, **updates: Any) -> Chunk | None:
        """Change a chunk; None if there is none. One commit.

        Of `updates` content, type, tags, confidence and links count, and tokens together with content. A chunk
        that is a part of a longer memory shares all but its content with the other parts. Raises UsageError for
        what no note can hold, before anything is written, NoteError for a note whose header is broken, BusyError.
        """
        place = self._find(chunk_id)
        if place is None:
            logger.warning("no chunk to update: %.200s", chunk_id)
            return None
        edit.require_sound(updates)
        with self._changing("revise", place.head.conversation):
            place = self._view.find(chunk_id)
            if place is None:  # another process has deleted it since
                return None
            path = place.head.path
            if "content" in updates:
                self._put(path, self._with_content(place, updates["content"], updates.get("tokens")))
            changes = edit.changes_for(updates)
            if changes:
                self._put(path, fields.set_fields(self._data(path), changes, path))
            if updates.get("links") is not None:
                self._link(path, chunk_id, updates["links"])
        logger.info("updated %s", chunk_id)
        return self._seen(chunk_id) if self._view.find(chunk_id) else None

    def _with_content(self, place: ChunkPlace, content: str, tokens: int | None) -> bytes:
        note, chunks = self._read(place.head.path)
        data = self._data(place.head.path)
        if len(chunks) > 1:
            return edit.with_part(data, note, chunks, place.part, content)
        count = self._view.count(content) if tokens is None else tokens
        return edit.with_content(data, note, replace(chunks[0], content=content, tokens=count), self._view.count)

    def _link(self, path: str, chunk_id: str, links: ChunkLinks | Mapping[str, Any]) -> None:
        wanted = (links if isinstance(links, ChunkLinks) else ChunkLinks.from_dict(links)).to_dict()
        if odd := {id for ids in wanted.values() for id in ids if not schema.is_id(id)}:
            logger.warning("not linked to what is no id of a chunk: %.200s", sorted(odd))
        place = self._view.find(chunk_id)
        assert place is not None
        changes = edit.link_changes(self._view, place, self._read(path)[0], wanted)
        if changes:
            self._put(path, fields.set_fields(self._data(path), changes, path))

    @_one_at_a_time
    def delete_chunk(self, chunk_id: str, permanent: bool = False) -> bool:
        """Delete a chunk, one commit; False if there is none, or if its note says `deletion_policy: never`.

        `restore_chunk` brings it back, unless it was deleted with `permanent`: then only git still knows it. A
        part of a longer memory takes the whole memory along.
        """
        place = self._find(chunk_id)
        if place is None:
            logger.warning("no chunk to delete: %.200s", chunk_id)
            return False
        with self._changing("delete", place.head.conversation) as tx:
            place = self._view.find(chunk_id)
            if place is None:  # another process was faster
                return False
            path = place.head.path
            note, chunks = self._read(path)
            if note.text("deletion_policy") == "never":
                logger.warning("not deleted: %s says deletion_policy: never", path)
                return False
            if len(chunks) > 1:
                logger.warning("%s is a part of %s: all %d parts go", chunk_id, path, len(chunks))
            if permanent:
                tx.operation = tx.operation._replace(extra=(*tx.operation.extra, (past.PERMANENT, note.id)))
            tx.delete(path)
            self._view.note(path, None)
        logger.info("deleted %s%s", chunk_id, " permanently" if permanent else "")
        return True

    @_one_at_a_time
    def restore_chunk(self, chunk_id: str) -> Chunk | None:
        """Bring back a deleted chunk with its id (A26); None if there is none, or its name is in use again."""
        if not schema.is_id(chunk_id) or self._find(chunk_id):
            return None
        deleted = view.trash(self.vault, self._view.count)
        item = next((item for item, head, _ in deleted if chunk_id in head.ids), None)
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
        return self._seen(chunk_id) if self._view.find(chunk_id) else None

    # -- reading -------------------------------------------------------------------------------------------

    @_one_at_a_time
    def get_chunk(self, chunk_id: str) -> Chunk | None:
        """A chunk, with its links and with this use of it counted; None if there is none or it cannot be read."""
        place = self._find(chunk_id)
        if place is None:
            logger.debug("no chunk %.200s", chunk_id)
            return None
        made = self.peek(chunk_id)
        if made and self._tx is None:
            now = self._clock()
            if usage.add(self.vault.root, [place.head.memory], now):
                view.count_use(made, self._view.use(place.head.memory))
                made.metadata.last_accessed = _stamp(now)  # kept to the second
        logger.info("retrieved %s", chunk_id)
        return made

    @_one_at_a_time
    def peek(self, chunk_id: str) -> Chunk | None:
        """The same, no use counted."""
        if self._find(chunk_id) is None:
            return None
        try:
            return self._seen(chunk_id)
        except _UNREADABLE as error:
            logger.warning("%s cannot be read: %s", chunk_id, error)
            return None

    @_one_at_a_time
    def recalled(self, query: str, conditions: Sequence[Filter], limit: int) -> list[tuple[float, Chunk]]:
        """(score, chunk) of the memories that best answer a question, best first; no use counted.

        Of a memory of several chunks the one that holds the passage. Raises UsageError.
        """
        self._look(True)
        found = []
        asked = ask.Query((query,), tuple(conditions), limit)
        for answer in ask.ask(self.vault, asked, self._clock(), counted=False):
            head = self._view.head(answer.hit.record.path)
            if head:
                _, chunks = self._read(head.path)
                place = ChunkPlace(head, view.part_of(answer.hit, chunks))
                found.append((answer.hit.score, self._view.chunk(place, chunks)))
        return found

    @_one_at_a_time
    def count_uses(self, ids: Iterable[str]) -> None:
        """Count one use of each of the chunks."""
        places = (self._view.find(id) for id in ids)
        usage.add(self.vault.root, list(dict.fromkeys(one.head.memory for one in places if one)), self._clock())

    @_one_at_a_time
    def list_chunks(
        self,
        conversation_id: str | None = None,
        tags: Sequence[str] | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
    ) -> list[str]:
        """The ids of the chunks of a conversation, with all of the tags, created in a time; in their order.

        A datetime without a zone is taken as UTC; both ends are included.
        """
        after, before = (_aware(moment) for moment in (created_after, created_before))
        found = []
        for head, part in self._all():
            created = datetime.fromisoformat(head.created)
            if (
                (conversation_id and head.conversation != conversation_id)
                or (tags and not {*tags} <= {*head.tags})
                or (after and created < after)
                or (before and created > before)
            ):
                continue
            found.append(head.ids[part])
        logger.info("listed %d chunks", len(found))
        return found

    @_one_at_a_time
    def get_stats(self) -> dict[str, Any]:
        """total_chunks, archived_chunks, by_type (type -> how many), storage_path."""
        by_type: dict[str, int] = {}
        places = self._all()
        for head, _ in places:
            by_type[head.type] = by_type.get(head.type, 0) + 1
        archived = (head.ids for _, head, _ in view.trash(self.vault, self._view.count))
        return {
            "total_chunks": len(places),
            "archived_chunks": sum(map(len, archived)),
            "by_type": by_type,
            "storage_path": str(self.base_path),
        }

    @property
    def metadata_index(self) -> IndexView:
        """id -> type, conversation_id, created and confidence of every chunk."""
        with self._lock:
            return IndexView({head.ids[part]: _entry(head) for head, part in self._all()})

    @property
    def tag_index(self) -> IndexView:
        """tag -> the ids of the chunks that have it."""
        with self._lock:
            found = IndexView()
            for head, part in self._all():
                for tag in head.tags:
                    found.setdefault(tag, []).append(head.ids[part])
            return found

    @property
    def link_graph(self) -> IndexView:
        """id -> the links of every chunk, by kind."""
        with self._lock:
            return IndexView({place.head.ids[place.part]: self._view.links(place) for place in self._all()})

    # -- helpers -------------------------------------------------------------------------------------------

    def _all(self) -> list[ChunkPlace]:
        self._look(True)
        return self._view.places()

    def _find(self, chunk_id: str) -> ChunkPlace | None:
        """Where a chunk is. The whole folder is looked at only if it is not where it was."""
        if not schema.is_id(chunk_id):
            return None
        self._look(False)
        place = self._view.find(chunk_id)
        if place is None or not self._is_current(place):
            self._look(True)
            place = self._view.find(chunk_id)
        return place

    def _look(self, thoroughly: bool) -> None:
        """See what others wrote: their commits, and `thoroughly` also what is only saved."""
        if self._tx is not None:
            return
        if thoroughly:
            self.vault.index.freshen()
        else:
            self.vault.index.follow_head()
        self._view.refresh()

    def _is_current(self, place: ChunkPlace) -> bool:
        try:
            note, chunks = self._read(place.head.path)
        except _UNREADABLE as error:
            logger.warning("%s cannot be read: %s", place.head.ids[place.part], error)
            return False
        return projection.head_of(note, chunks)._replace(ids=()) == place.head._replace(ids=())

    def _data(self, path: str) -> bytes:
        return self._tx.require(path) if self._tx is not None else self.vault.read(path)

    def _read(self, path: str) -> tuple[Memory, list[Chunk]]:
        """A note as it is now, staged or saved, and its chunks. Raises NoteError, NotFoundError."""
        note = self.vault.parse(self._data(path), path)
        record = None if note.created else self.vault.index.record(path)
        return note, projection.chunks_of(note, record.created if record else "", self._view.count)

    def _put(self, path: str, data: bytes) -> None:
        assert self._tx is not None
        self._tx.write(path, data)
        note, chunks = self._read(path)
        self._view.note(path, projection.head_of(note, chunks))

    def _seen(self, chunk_id: str) -> Chunk:
        """A chunk as it is now, no use counted. Raises NoteError, NotFoundError."""
        place = self._view.find(chunk_id)
        if place is None:
            raise NotFoundError(f"there is no chunk {chunk_id}")
        _, chunks = self._read(place.head.path)
        if place.part >= len(chunks):
            raise NotFoundError(f"there is no chunk {chunk_id}")
        made = self._view.chunk(place, chunks)
        view.count_use(made, self._view.use(place.head.memory))
        return made


def init_storage(base_path: str | os.PathLike[str] = "brain/memory") -> ChunkStore:
    """The chunk store of a folder, made a vault if it is none."""
    return ChunkStore(base_path)


def _stamp(moment: datetime) -> str:
    """As the public package writes it, with microseconds."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def _entry(head: ChunkHead) -> dict[str, Any]:
    return {
        "type": head.type,
        "conversation_id": head.conversation,
        "created": head.created,
        "confidence": head.confidence,
    }
