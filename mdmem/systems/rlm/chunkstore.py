"""`ChunkStore`: creates, reads, changes, deletes and restores the chunks of a vault.

Every write is a commit; all writes within a `batch` are one. Reading changes nothing but the use counts.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from mdmem.errors import ConflictError
from mdmem.history import past
from mdmem.note import fields, titles
from mdmem.store import layout
from mdmem.store.vault.transaction import Transaction
from mdmem.systems.rlm import edit, projection, schema, view
from mdmem.systems.rlm.chunkreader import ChunkReader, one_at_a_time, tell_objections
from mdmem.systems.rlm.cut import detect_type
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, Chunk, ChunkLinks, ChunkMetadata, stamp_of
from mdmem.systems.rlm.view import ChunkPlace
from mdmem.write import remember

logger = logging.getLogger("mdmem.chunks")


class ChunkStore(ChunkReader):
    """The chunks of the vault at `base_path`; a folder that is not a vault is made one.

    `actor` is the agent that writes, "" for git's user; `clock` tells the time. Close it, or use `with`.
    """

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
        edit.require_sound(given)
        with self._changing("create", conversation_id) as tx:
            now = self._now()
            created = stamp_of(now)
            metadata = ChunkMetadata(created, conversation_id, confidence=confidence)
            kind = detect_type(content) if chunk_type is None else str(chunk_type)
            made = Chunk("", content, tokens, kind, metadata, tags=tags)
            identity = remember.new_id(now)
            while self._view.has(id := schema.derived_id(identity, created)):
                identity = remember.new_id(now)
            made.id = id
            name = remember.free_name(self.vault, tx, titles.of_text(content), content, created)
            path = layout.path_for(name, created, self.vault.config)
            extra = {"id": identity, "category": "past", **({"actor": self._actor} if self._actor else {})}
            self._put(path, edit.new_note(path, made, extra, self._view.count))
            if links:
                self._link(path, id, links)
        logger.info("created %s", id)
        return self._written(id)

    @one_at_a_time
    def update_chunk(self, /, chunk_id: str, **updates: Any) -> Chunk | None:
        """Change a chunk in one commit; None if there is none, or if its note may not change like that (logged).

        Of `updates`, content, type, tags, confidence and links are used, and tokens together with content. A chunk
        that is part of a longer memory shares everything but its content with the other parts. Raises UsageError
        for values that no note can hold, before anything is written, NoteError for a note with a broken header,
        BusyError.
        """
        place = self._find(chunk_id)
        if place is None:
            logger.warning("no chunk to update: %.200s", chunk_id)
            return None
        if "tags" in updates:
            updates["tags"] = schema.tags_given(updates["tags"])
        edit.require_sound(updates)
        with self._changing("revise", place.head.conversation):
            place = self._view.find(chunk_id)
            if place is None:  # another process deleted it in the meantime
                return None
            path = place.head.path
            before = data = self._data(path)
            if "content" in updates:
                data = self._with_content(place, updates["content"], updates.get("tokens"))
            data = fields.set_fields(data, edit.changes_for(updates), path)
            if wrong := edit.objection(path, before, data):
                logger.warning("not updated: %s %s", path, wrong)
                return None
            self._put(path, data)
            if updates.get("links") is not None:
                self._link(path, chunk_id, updates["links"])
        logger.info("updated %s", chunk_id)
        return self._written(chunk_id) if self._view.find(chunk_id) else None

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
            logger.warning("not linked to what is not a chunk id: %.200s", sorted(odd))
        place = self._view.find(chunk_id)
        assert place is not None
        changes = edit.link_changes(self._view, place, self._read(path)[0], wanted)
        if changes:
            self._put(path, fields.set_fields(self._data(path), changes, path))

    @one_at_a_time
    def delete_chunk(self, chunk_id: str, permanent: bool = False) -> bool:
        """Delete a chunk in one commit; False if there is none, or if its note says `deletion_policy: never`.

        `restore_chunk` brings it back, unless it was deleted with `permanent`: then only git still has it. A part
        of a longer memory takes the whole memory with it.
        """
        place = self._find(chunk_id)
        if place is None:
            logger.warning("no chunk to delete: %.200s", chunk_id)
            return False
        with self._changing("delete", place.head.conversation) as tx:
            place = self._view.find(chunk_id)
            if place is None:  # another process deleted it in the meantime
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

    @one_at_a_time
    def restore_chunk(self, chunk_id: str) -> Chunk | None:
        """Restore a deleted chunk with its id; None if there is none, or its name is in use again."""
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

    def _written(self, chunk_id: str) -> Chunk:
        """A chunk just written. Values that the schema does not allow are kept, and logged."""
        made = self._seen(chunk_id)
        tell_objections(made)
        return made

    def _put(self, path: str, data: bytes) -> None:
        assert self._tx is not None
        self._tx.write(path, data)
        note, chunks = self._read(path)
        self._view.note(path, projection.head_of(note, chunks))


def init_storage(base_path: str | os.PathLike[str] = "brain/memory") -> ChunkStore:
    """The chunk store of a folder, which is made a vault if it is not one."""
    return ChunkStore(base_path)
