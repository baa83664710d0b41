"""What the mirror knows: the memories as last mirrored, and the deleted ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.history import past
from mdmem.store.index.port import Deleted
from mdmem.store.vault import derived
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import view
from mdmem.systems.rlm.linking import Node
from mdmem.systems.rlm.projection import Count
from mdmem.systems.rlm.schema import Chunk

VERSION = "3"  # of the rendering: another version renders everything again

Texts = list[tuple[str, int]]  # content and tokens of each part of a memory


class MirroredMemory(NamedTuple):
    """What the mirror knows of a memory: the mark of its note, its use as a text, and its chunks."""

    mark: str
    use: str
    nodes: list[Node]


class MirrorManifest(derived.Manifest):
    """The manifest of the mirror, with a table of the memories."""

    tables = f"""{derived.Manifest.tables}
    CREATE TABLE notes(path TEXT PRIMARY KEY, mark TEXT, use TEXT, head TEXT, texts TEXT) WITHOUT ROWID;
    """

    def forget(self) -> None:
        """Forget everything except which files are the mirror's."""
        self.rows("DELETE FROM notes")
        super().forget()

    def notes(self, form: str) -> dict[str, MirroredMemory]:
        """path -> what the mirror knows of the memory; marks of another form than this differ from every mark."""
        rows = self.rows("SELECT path, mark, use, head FROM notes ORDER BY path")
        read = json.loads(f"[{','.join(row[3] for row in rows)}]")
        return {
            path: MirroredMemory(mark.removeprefix(f"{form} "), use, [Node(*node) for node in nodes])
            for (path, mark, use, _), nodes in zip(rows, read, strict=True)
        }

    def texts(self, path: str) -> Texts:
        """The texts of a known memory."""
        (row,) = self.rows("SELECT texts FROM notes WHERE path=?", (path,))
        texts: Texts = json.loads(row[0])
        return texts

    def links(self) -> dict[str, str]:
        """path -> the chunk's piece of the link graph."""
        return dict(self.rows("SELECT path, links FROM files WHERE links<>''"))

    def link(self, path: str) -> str:
        """The piece of the link graph for one of the files, "" if none is known."""
        return next((piece for (piece,) in self.rows("SELECT links FROM files WHERE path=?", (path,))), "")

    def save(
        self,
        notes: Iterable[Sequence[str]],
        uses: Mapping[str, str],
        gone: Iterable[str],
        state: Mapping[str, str],
    ) -> None:
        """Store the rows of `notes`, the uses of others, which are `gone`, and `state` under its keys."""
        with self.whole():
            self._db.executemany("DELETE FROM notes WHERE path=?", [(path,) for path in gone])
            self._db.executemany(
                "UPDATE notes SET use=? WHERE path=?", [(use, path) for path, use in uses.items()]
            )
            self._db.executemany("REPLACE INTO notes VALUES(?,?,?,?,?)", notes)
            self._db.executemany("REPLACE INTO state VALUES(?,?)", state.items())


def compact(value: Any) -> str:
    """A value as compact JSON, for storage."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(data: bytes) -> str:
    """A hash of a file's bytes, 32 hex digits."""
    return hashlib.sha256(data).hexdigest()[:32]


def texts_of(chunks: Sequence[Chunk]) -> Texts:
    """The texts and token counts of a memory's chunks."""
    return [(chunk.content, chunk.tokens) for chunk in chunks]


# -- the deleted ones ----------------------------------------------------------------------------------------


class DeletedMemory(NamedTuple):
    """A deleted memory: what it was read from, its chunks and their texts."""

    made_of: str
    nodes: list[Node]
    texts: Texts


def trash(
    vault: Vault, manifest: MirrorManifest, living: Mapping[str, list[Node]], count: Count
) -> tuple[list[DeletedMemory], str]:
    """(the deleted memories of a vault, latest deletion first; the same as a text for the state to keep).

    `living` are the chunks of existing memories. History is read only if other commits delete memories than last
    time, if a memory that was once deleted is back, moved or gone, or if other files are uncommitted. If a file is
    gone, it may have been moved, which depends on the text of other files: then history is read each time.
    """
    told = manifest.state("deleted")
    basis, ids, rows = json.loads(told or '["", [], []]')
    memories = [DeletedMemory(of, [Node(*node) for node in nodes], texts) for of, nodes, texts in rows]
    gone = vault.index.uncommitted() - living.keys()
    if basis and not gone and basis == _basis(vault, living, ids):
        return memories, told
    items, deleted = past.deletions(vault)
    memories = list(_read(vault, items, {one.made_of: one for one in memories}, count))
    return memories, compact([_basis(vault, living, deleted), sorted(deleted), memories])


def _read(
    vault: Vault, items: Collection[Deleted], remembered: Mapping[str, DeletedMemory], count: Count
) -> Iterator[DeletedMemory]:
    """The deleted memories; those `remembered` are not read again."""
    for item in items:
        if item.permanent:
            continue
        of = compact([*_settings(vault), item.path, item.blob, view.created(vault, item)])
        if of in remembered:
            yield remembered[of]
        elif made := view.deleted(vault, item, count):
            yield DeletedMemory(of, made[0], texts_of(made[1]))


def _basis(vault: Vault, living: Mapping[str, list[Node]], ids: Collection[str]) -> str:
    """A digest that changes when the trash may have changed; `ids` are those of all memories ever deleted."""
    index, deleted = vault.index, set(ids)
    homes = [(path, nodes[0].memory) for path, nodes in living.items() if nodes[0].memory in deleted]
    edited = sorted((path, living[path][0].memory if path in living else "") for path in index.uncommitted())
    told = [sorted(index.deleting_commits()), homes, edited, index.head if edited else ""]
    return digest(compact([_settings(vault), told]).encode())


def _settings(vault: Vault) -> list[str]:
    seen = [vault.clearance.limit, vault.index.concealed.mark]
    return [VERSION, vault.config.mirror.tokenizer, vault.config.id, vault.config.memories, *seen]
