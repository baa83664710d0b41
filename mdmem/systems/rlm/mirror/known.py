"""What the mirror knows: the memories as last mirrored, and the deleted ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mdmem.history import past
from mdmem.store.index.rows import as_json
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


def trash(vault: Vault, manifest: MirrorManifest, count: Count) -> list[DeletedMemory]:
    """The deleted memories of a vault, latest deletion first; those mirrored before are not read again."""
    rows = json.loads(manifest.state("deleted") or "[]")
    known = {of: DeletedMemory(of, [Node(*node) for node in nodes], texts) for of, nodes, texts in rows}
    seen = [vault.clearance.limit, vault.index.concealed.mark]
    settings = [VERSION, vault.config.mirror.tokenizer, vault.config.id, vault.config.memories, *seen]
    found = []
    for item in past.deletions(vault):
        if item.permanent:
            continue
        of = as_json([*settings, item.path, item.blob, view.created(vault, item)])
        if of in known:
            found.append(known[of])
        elif made := view.deleted(vault, item, count):
            found.append(DeletedMemory(of, made[0], texts_of(made[1])))
    return found
