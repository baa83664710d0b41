"""The memories as the mirror knows them: as last mirrored, and as they are now."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mdmem.store.local import usage
from mdmem.store.local.usage import Use
from mdmem.store.vault import derived
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import projection, view
from mdmem.systems.rlm.linking import ChunkHead
from mdmem.systems.rlm.mirror.rendered import compact
from mdmem.systems.rlm.schema import Chunk

VERSION = "2"  # of the rendering: another version renders everything again

Texts = list[tuple[str, int]]  # content and tokens of each part of a memory


class MirroredMemory(NamedTuple):
    """What the mirror knows of a memory: the mark of its note, its use as a text, and its head."""

    mark: str
    use: str
    head: ChunkHead


class MirroredMemories(NamedTuple):
    """The memories by path, as last mirrored and as they are now.

    `old` is what the manifest knows, and `before` the heads in it. `marks`, `heads` and `uses` are current.
    `fresh` are the memories that were read again: the head, with the ids that it asks for, and the texts.
    """

    old: Mapping[str, MirroredMemory]
    marks: Mapping[str, str]
    fresh: Mapping[str, tuple[ChunkHead, Texts]]
    heads: Mapping[str, ChunkHead]
    before: Mapping[str, ChunkHead]
    uses: Mapping[str, Use | None]

    def moved(self) -> set[str]:
        """The paths of memories that came, went, or changed in more than their text."""
        paths = self.heads.keys() | self.before.keys()
        return {path for path in paths if self.heads.get(path) != self.before.get(path)}

    def used(self) -> dict[str, str]:
        """path -> use, as a text, of the memories that were recalled since they were last mirrored."""
        told = {path: str(self.uses[path]) for path in self.old.keys() & self.uses.keys()}
        return {path: use for path, use in told.items() if self.old[path].use != use}

    def gone(self) -> set[str]:
        """The paths of memories that were mirrored and no longer exist."""
        return self.old.keys() - self.heads.keys()


class MirrorManifest(derived.Manifest):
    """The manifest of the mirror, with a table of the memories."""

    tables = f"""{derived.Manifest.tables}
    CREATE TABLE notes(path TEXT PRIMARY KEY, mark TEXT, use TEXT, head TEXT, texts TEXT) WITHOUT ROWID;
    """

    def forget(self) -> None:
        """Forget everything except which files are the mirror's."""
        self.rows("DELETE FROM notes")
        super().forget()

    def notes(self) -> dict[str, MirroredMemory]:
        """path -> what the mirror knows of the memory."""
        rows = self.rows("SELECT path, mark, use, head FROM notes ORDER BY path")
        heads = json.loads(f"[{','.join(row[3] for row in rows)}]")
        return {
            path: MirroredMemory(mark, use, ChunkHead(*head))
            for (path, mark, use, _), head in zip(rows, heads, strict=True)
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

    def save(self, memories: MirroredMemories, state: Mapping[str, str]) -> None:
        """Store what changed in the memories, and `state` under its keys."""
        gone = [(path,) for path in memories.gone()]
        uses = [(use, path) for path, use in memories.used().items()]
        notes = [
            (path, memories.marks[path], str(memories.uses[path]), compact(head), compact(texts))
            for path, (head, texts) in memories.fresh.items()
        ]
        with self.whole():
            self._db.executemany("DELETE FROM notes WHERE path=?", gone)
            self._db.executemany("UPDATE notes SET use=? WHERE path=?", uses)
            self._db.executemany("REPLACE INTO notes VALUES(?,?,?,?,?)", notes)
            self._db.executemany("REPLACE INTO state VALUES(?,?)", state.items())


def memories(vault: Vault, manifest: MirrorManifest, count: Callable[[str], int]) -> MirroredMemories:
    """The memories of a vault. Those that changed since they were last mirrored are read."""
    old = manifest.notes()
    prefix = f"{VERSION} {vault.config.mirror.tokenizer}"
    marks = {path: f"{prefix} {mark}" for path, mark in vault.index.marks().items()}
    changed = [path for path, mark in marks.items() if path not in old or old[path].mark != mark]
    fresh: dict[str, tuple[ChunkHead, Texts]] = {}
    for note, created in view.notes(vault, changed):
        head, chunks = view.projected(note, created, count)
        fresh[note.path] = head, texts_of(chunks)
    known = {path: one.head for path, one in old.items()}
    heads = projection.distinct({path: fresh[path][0] if path in fresh else known[path] for path in marks})
    counts = usage.counts(vault.root)
    uses = {path: counts.get(head.memory) for path, head in heads.items()}
    return MirroredMemories(old, marks, fresh, heads, projection.distinct(known), uses)


def texts_of(chunks: Sequence[Chunk]) -> Texts:
    """The texts and token counts of a memory's chunks."""
    return [(chunk.content, chunk.tokens) for chunk in chunks]
