"""Reads the chunks of a vault. Reading changes nothing but the use counts."""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import wraps
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from mdmem.errors import NoteError, NotFoundError, UsageError
from mdmem.note.filters import Filter
from mdmem.note.memory import Memory
from mdmem.recall import ask
from mdmem.store import identity
from mdmem.store.index.port import MEMORIES
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import Transaction
from mdmem.systems.rlm import opening, projection, schema, view
from mdmem.systems.rlm.linking import ChunkHead
from mdmem.systems.rlm.schema import Chunk
from mdmem.systems.rlm.view import ChunkPlace, ChunkView

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


_Reader = TypeVar("_Reader", bound="ChunkReader")


def one_at_a_time(
    method: Callable[Concatenate[_Reader, _P], _T],
) -> Callable[Concatenate[_Reader, _P], _T]:
    """Hold the store's lock during a method, since threads may share a store."""

    @wraps(method)
    def locked(self: _Reader, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        with self._lock:
            return method(self, *args, **kwargs)

    return locked


class ChunkReader:
    """Read access to the chunks of the vault at `base_path`. `ChunkStore` adds writing."""

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
        self.vault = opening.opened(str(self.base_path), self._caller())
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

    def _caller(self, session: str = "") -> Caller:
        return Caller(self._clock(), self._actor, session)

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
        place = self._find(chunk_id)
        if place is None:
            logger.debug("no chunk %.200s", chunk_id)
            return None
        made = self.peek(chunk_id)
        if made and usage.add(self.vault.root, [place.head.memory], self._clock()):
            view.count_use(made, self._view.use(place.head.memory))
        logger.info("retrieved %s", chunk_id)
        return made

    @one_at_a_time
    def peek(self, chunk_id: str) -> Chunk | None:
        """A chunk as `get_chunk` returns it, without counting the use."""
        place = self._find(chunk_id)
        if place is None:
            return None
        try:
            made = self._seen(chunk_id)
        except _UNREADABLE as error:
            logger.warning("%s cannot be read: %s", chunk_id, error)
            return None
        tell_objections(made)
        return made if _is_sound(place.head) else None

    @one_at_a_time
    def recalled(self, query: str, conditions: Sequence[Filter], limit: int) -> list[tuple[float, Chunk]]:
        """(score, chunk) of the memories that best answer a query, best first; no use is counted.

        A memory of several chunks is represented by the one with the passage. Raises UsageError.
        """
        self._look(True)
        found = []
        asked = ask.Query((query,), tuple(conditions), limit, kinds=MEMORIES)
        for answer in ask.ask(self.vault, asked, self._clock(), counted=False):
            head = self._view.head(answer.hit.record.path)
            if head and _is_sound(head):
                _, chunks = self._read(head.path)
                place = ChunkPlace(head, view.part_of(answer.hit, chunks))
                found.append((answer.hit.score, self._view.chunk(place, chunks)))
        logger.info("found %d chunks", len(found))
        alike = (group for _, group in groupby(found, itemgetter(0)))  # to the index, also those of one second
        return [one for group in alike for one in sorted(group, key=_created, reverse=True)]

    @one_at_a_time
    def count_uses(self, ids: Iterable[str]) -> None:
        """Count one use of each of these chunks."""
        places = (self._view.find(id) for id in ids)
        usage.add(self.vault.root, list(dict.fromkeys(one.head.memory for one in places if one)), self._clock())

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
        found = []
        for head, part in self._all():
            created = datetime.fromisoformat(head.created)
            if (
                (conversation_id and head.conversation != conversation_id)
                or not wanted <= {*head.tags}
                or (after and created < after)
                or (before and created > before)
            ):
                continue
            found.append(head.ids[part])
        logger.info("listed %d chunks", len(found))
        return found

    @one_at_a_time
    def get_stats(self) -> dict[str, Any]:
        """The statistics total_chunks, archived_chunks, by_type (type -> count), storage_path."""
        places = self._all()
        logger.info("counted %d chunks", len(places))
        archived = (head.ids for _, head, _ in view.trash(self.vault, self._view.count))
        return {
            "total_chunks": len(places),
            "archived_chunks": sum(map(len, archived)),
            "by_type": dict(Counter(head.type for head, _ in places)),
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
        """id -> the links of the chunk, by kind, for every chunk."""
        with self._lock:
            return IndexView({place.head.ids[place.part]: self._view.links(place) for place in self._all()})

    # -- helpers -------------------------------------------------------------------------------------------

    def _all(self) -> list[ChunkPlace]:
        self._look(True)
        return [place for place in self._view.places() if _is_sound(place.head)]

    def _find(self, chunk_id: str) -> ChunkPlace | None:
        """The place of a chunk, None if there is none. All files are looked at only if it is not where it was."""
        if not schema.is_id(chunk_id):
            return None
        self._look(False)
        place = self._view.find(chunk_id)
        if place is None or not self._is_current(place):
            self._look(True)
            place = self._view.find(chunk_id)
        return place

    def _look(self, thoroughly: bool) -> None:
        """Notice what others wrote: their commits and, if `thoroughly`, also their uncommitted changes."""
        if self._tx is not None:
            return
        if thoroughly:
            self.vault.whole_index.freshen()
        else:
            self.vault.whole_index.follow_head()
        self._view.refresh()

    def _is_current(self, place: ChunkPlace) -> bool:
        try:
            note, chunks = self._read(place.head.path)
        except _UNREADABLE as error:
            logger.warning("%s cannot be read: %s", place.head.ids[place.part], error)
            return False
        return projection.head_of(note, chunks)._replace(ids=[]) == place.head._replace(ids=[])

    def _data(self, path: str) -> bytes:
        return self._tx.require(path) if self._tx is not None else self.vault.read(path)

    def _read(self, path: str) -> tuple[Memory, list[Chunk]]:
        """A note as it is now, staged or on disk, and its chunks. Raises NoteError, NotFoundError."""
        note = self.vault.parse(self._data(path), path)
        for problem in filter(view.is_broken, note.problems):
            raise NoteError(problem)
        record = None if note.created else self.vault.index.record(path)
        return note, projection.chunks_of(note, record.created if record else "", self._view.count)

    def _seen(self, chunk_id: str) -> Chunk:
        """A chunk as it is now; the use is not counted. Raises NoteError, NotFoundError."""
        place = self._view.find(chunk_id)
        if place is None:
            raise NotFoundError(f"there is no chunk {chunk_id}")
        _, chunks = self._read(place.head.path)
        if place.part >= len(chunks):
            raise NotFoundError(f"there is no chunk {chunk_id}")
        made = self._view.chunk(place, chunks)
        view.count_use(made, self._view.use(place.head.memory))
        made.content = self.vault.index.concealed.redact(made.content)
        return made


def tell_objections(chunk: Chunk) -> None:
    """Log the schema's objections to a chunk."""
    for objection in schema.objections(chunk):
        logger.warning("%s: %s %s", chunk.id, objection.field, objection.message)


def _is_sound(head: ChunkHead) -> bool:
    """Whether the chunks of a memory have values that the schema allows."""
    return not any(schema.faults(head.type, head.source, head.confidence))


def _created(found: tuple[float, Chunk]) -> str:
    return found[1].metadata.created


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def _entry(head: ChunkHead) -> dict[str, Any]:
    return {
        "type": head.type,
        "conversation_id": head.conversation,
        "created": head.created,
        "confidence": head.confidence,
    }
