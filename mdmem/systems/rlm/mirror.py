"""The JSON mirror: chunks, indexes and archive in the RLM-MEM schema, rendered from the notes and from git.

Nothing is ever read back from it. The same memories and uses give the same bytes, whatever the mirror held
before. An update rewrites only chunks whose content or links changed, and the three indexes. Chunks are written
first, then the indexes, and stale files are removed last, so that an index never names a missing chunk.

`access_count` and `last_accessed` come from `.mdmem/usage.sqlite`: how often the memory was recalled here. All
chunks of a memory share them. `updated` of an index is the latest `created` in it; no clock is read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from mdmem.errors import NoteError, UsageError
from mdmem.history import past
from mdmem.store import layout
from mdmem.store.config import FILE, VaultConfig
from mdmem.store.index.rows import as_json
from mdmem.store.local import files, lock, usage
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress, silent
from mdmem.store.vault import derived
from mdmem.store.vault.derived import DerivedFile, FolderTree
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import linking, projection, schema, view
from mdmem.systems.rlm.linking import Node
from mdmem.systems.rlm.projection import Count
from mdmem.systems.rlm.schema import Chunk, ChunkLinks
from mdmem.systems.rlm.view import ChunkView

FOLDERS = layout.MIRROR_FOLDERS
INDEXES = ("metadata_index", "tag_index", "link_graph")
VERSION = "4"  # of the rendering: another version renders everything again
_PARTS = ["entries", "lists", "updated"]  # of an index document
_PLACE = re.compile(r"(.*/|)(?:chunks/[^/]+|index|archive)/[^/]+")

_quoted = json.encoder.encode_basestring  # a string as JSON, without escaping letters beyond ASCII


class Report(NamedTuple):
    """The numbers of chunks and archived chunks in the mirror, and of files written and removed."""

    chunks: int
    archived: int
    written: int
    removed: int


class JsonMirror(FolderTree):
    """The mirror as a derived tree (see `store.registry.DerivedTree`)."""

    name = "mirror"
    again = "mdmem mirror"
    mark = b"# Rendered by `mdmem mirror` from the memories; safe to delete.\n*\n"
    elsewhere = 'move it, or set another place in mdmem.toml: [mirror] folder = "json"'

    def __init__(self, config: VaultConfig) -> None:
        self._config = config
        folder = config.mirror.folder
        self.base = "" if folder in ("", ".") else folder + "/"  # prefix of the paths of its folders

    def files(self, vault: Vault) -> Iterator[tuple[str, bytes]]:
        """Every file of the mirror, rendered from scratch."""
        return _rendered_anew(vault, self.base, silent)

    def owns(self, path: str) -> bool:
        """Whether a path is one of the mirror's: JSON in one of its folders."""
        return layout.is_mirrored(path, self._config)

    def folders(self, known: Iterable[str] = ()) -> list[str]:
        """The mirror's folders, and those of the place it had before."""
        bases = dict.fromkeys([self.base, *map(_base_of, known)])
        return [base + folder for base in bases for folder in FOLDERS]

    def wrote(self, vault: Vault, path: str) -> bool:
        """Whether a file looks as if the mirror wrote it."""
        folder, _, name = path.removeprefix(self.base).rpartition("/")
        try:
            text = files.read(vault.root, path).decode()
            if folder == "index":
                return name.removesuffix(".json") in INDEXES and [*json.loads(text)] == _PARTS
            return path.endswith(".json") and _rendered(Chunk.from_json(text)) == text
        except (NoteError, UsageError, ValueError, TypeError, RecursionError):  # a link, or no JSON of the mirror
            return False


def update(
    vault: Vault,
    full: bool = False,
    progress: Progress = silent,
    patience: float = lock.PATIENCE,
) -> Report:
    """Bring the mirror up to date; with `full` all that is known of it is discarded, and every byte compared.

    Raises ConflictError if files of somebody else are in the way, BusyError if another process is updating for
    `patience` seconds, UsageError for a tokenizer that is not installed and for symbolic links, OSError.
    """
    tree = JsonMirror(vault.config)
    vault = vault.for_derived(tree.name)
    with derived.opened(vault, tree.name, MirrorManifest, patience) as manifest:
        if full:
            manifest.forget()
        there = derived.existing(vault, tree, manifest)
        plan = MirrorPlan(vault, manifest, tree.base, there.intact)
        done = derived.put(vault, tree, manifest, there, plan.paths, plan.files(progress))
        plan.save()
        return Report(len(plan.chunks), len(plan.archive), *done)


def adopt(vault: Vault, paths: Iterable[str]) -> None:
    """Let the mirror replace files in its folders that an import has read."""
    with derived.opened(vault, JsonMirror.name, MirrorManifest) as manifest:
        known = manifest.stamps()
        manifest.announce(path for path in paths if path not in known)


def switch_on(vault: Vault, caller: Caller) -> None:
    """Turn the mirror on in mdmem.toml, unless the settings have a [mirror] section already."""
    data = files.read_or_none(vault.root, FILE) or b""
    if b"[mirror]" in data:
        return
    with vault.change(caller.does("revise", "The JSON chunks follow each write.")) as tx:
        tx.write(FILE, data.rstrip() + b"\n\n[mirror]\nenabled = true\n")


def follow(vault: Vault, paths: frozenset[str] | None, patience: float) -> None:
    """Bring the mirror up to date after a write: a follower, see `store.registry`. Raises as `update`."""
    del paths  # the index and the commits tell what changed
    update(vault, patience=patience)


def stale(vault: Vault, progress: Progress = silent) -> list[str]:
    """The files of the mirror that are missing, different or superfluous, sorted. Nothing is changed."""
    tree = JsonMirror(vault.config)
    return derived.stale(vault, tree, _rendered_anew(vault, tree.base, progress))


def _rendered_anew(vault: Vault, base: str, progress: Progress) -> Iterator[tuple[str, bytes]]:
    seen = vault.for_derived(JsonMirror.name)
    with closing(MirrorManifest(":memory:")) as manifest:
        for file in MirrorPlan(seen, manifest, base, {}).files(progress):
            yield file.path, file.data


def _base_of(path: str) -> str:
    """The part of a file's path above the folders of the mirror."""
    match = _PLACE.fullmatch(path)
    return match[1] if match else ""


# -- what the mirror knows: the memories as last mirrored, and the deleted ones ------------------------------


class MirroredMemory(NamedTuple):
    """What the mirror knows of a memory: the mark of its note, its use as a text, and its chunks."""

    mark: str
    use: str
    nodes: list[Node]


class MirrorManifest(derived.Manifest):
    """The manifest of the mirror, with a table of the memories."""

    tables = f"""{derived.Manifest.tables}
    CREATE TABLE notes(path TEXT PRIMARY KEY, mark TEXT, use TEXT, nodes TEXT) WITHOUT ROWID;
    """
    schema = 2

    def forget(self) -> None:
        """Forget everything except which files are the mirror's."""
        self.rows("DELETE FROM notes")
        super().forget()

    def notes(self, form: str) -> dict[str, MirroredMemory]:
        """path -> what the mirror knows of the memory; marks of another form than this differ from every mark."""
        rows = self.rows("SELECT path, mark, use, nodes FROM notes ORDER BY path")
        read = json.loads(f"[{','.join(row[3] for row in rows)}]")
        return {
            path: MirroredMemory(mark.removeprefix(f"{form} "), use, [Node(*node) for node in nodes])
            for (path, mark, use, _), nodes in zip(rows, read, strict=True)
        }

    def links(self) -> dict[str, str]:
        """path -> the chunk's piece of the link graph."""
        return dict(self.rows("SELECT path, links FROM files WHERE links<>''"))

    def save(self, notes: Iterable[Sequence[str]], uses: Mapping[str, str], gone: Iterable[str]) -> None:
        """Store the rows of `notes`, the uses of others, and which are `gone`."""
        with self.whole():
            self._db.executemany("DELETE FROM notes WHERE path=?", [(path,) for path in gone])
            self._db.executemany(
                "UPDATE notes SET use=? WHERE path=?", [(use, path) for path, use in uses.items()]
            )
            self._db.executemany("REPLACE INTO notes VALUES(?,?,?,?)", notes)


def digest(data: bytes) -> str:
    """A hash of a file's bytes, 32 hex digits."""
    return hashlib.sha256(data).hexdigest()[:32]


def _trash(vault: Vault, manifest: MirrorManifest, count: Count) -> list[tuple[str, list[Node]]]:
    """(what it was read from, chunks) of each deleted memory, latest deletion first.

    Those mirrored before are not read again.
    """
    rows = json.loads(manifest.state("deleted") or "[]")
    known = {of: [Node(*node) for node in nodes] for of, nodes in rows}
    seen = [vault.clearance.limit, vault.index.concealed.mark]
    settings = [VERSION, vault.config.mirror.tokenizer, vault.config.id, vault.config.memories, *seen]
    found = []
    for item in past.deletions(vault):
        of = as_json([*settings, item.path, item.blob, view.created(vault, item)])
        nodes = [] if item.permanent else known.get(of) or view.deleted(vault, item, count)
        if nodes:
            found.append((of, nodes))
    return found


# -- what is to be rendered ----------------------------------------------------------------------------------


class MirrorPlan:
    """The files that the mirror should hold. `intact` are those that nobody changed since they were written.

    `chunks` and `archive` are the places of the chunks and of the deleted ones by path, `paths` those of all
    files. `state` is what the manifest is to keep; it is complete once `files` is exhausted.
    """

    def __init__(self, vault: Vault, manifest: MirrorManifest, base: str, intact: Collection[str]) -> None:
        self._manifest, self._base, self._intact = manifest, base, intact
        self._form = f"{VERSION} {vault.config.mirror.tokenizer}"
        self._old = manifest.notes(self._form)
        self._view = ChunkView(vault, {path: (one.mark, one.nodes) for path, one in self._old.items()})
        self._fresh: dict[str, list[Node]] = {}
        vault.index.retry_as_one(lambda: self._fresh.update(self._view.refresh()))
        memories = self._view.memories
        self._before = projection.distinct({path: one.nodes for path, one in self._old.items()})
        paths = memories.keys() | self._before.keys()
        self._moved = {path for path in paths if memories.get(path) != self._before.get(path)}
        self._counts = usage.counts(vault.root)
        self._uses = {path: str(self._counts.get(nodes[0].memory)) for path, nodes in memories.items()}
        self.chunks = {
            f"{base}chunks/{schema.month(node.id, node.created)}/{node.id}.json": node
            for nodes in memories.values()
            for node in nodes
        }
        trash = _trash(vault, manifest, self._view.count)
        self.state = {"deleted": as_json(trash), "sources": derived.sources(vault)}
        taken = [node.id for node in self.chunks.values()]
        shown = projection.distinct({str(at): nodes for at, (_, nodes) in enumerate(trash)}, taken)
        self.archive = {f"{base}archive/{node.id}.json": node for nodes in shown.values() for node in nodes}
        self._indexes = {f"{base}index/{name}.json" for name in INDEXES}
        self.paths = {*self.chunks, *self.archive, *self._indexes}
        self._links: dict[str, str] = {}  # path of a rendered chunk -> its piece of the link graph

    def _used(self) -> dict[str, str]:
        """path -> use, as a text, of the memories that were recalled since they were last mirrored."""
        return {
            path: self._uses[path] for path, one in self._old.items() if self._uses.get(path, one.use) != one.use
        }

    def save(self) -> None:
        """Let the manifest know what is mirrored now."""
        notes = [
            (path, f"{self._form} {self._view.marks[path]}", self._uses[path], as_json(nodes))
            for path, nodes in self._fresh.items()
        ]
        self._manifest.save(notes, self._used(), self._old.keys() - self._view.memories.keys())
        self._manifest.keep_state(self.state)

    def files(self, progress: Progress) -> Iterator[DerivedFile]:
        """The files that have to be rendered again: chunks, then the archive, and the indexes last."""
        todo = self._changed_chunks()
        for done, path in enumerate(todo):
            progress(done, len(todo))
            node = self.chunks[path]
            links = self._view.graph.links(node)
            piece = json.dumps(links.to_dict(), indent=2, ensure_ascii=False).replace("\n", "\n    ")
            self._links[path] = piece
            yield self._chunk_file(path, node, links)._replace(links=piece)
        progress(len(todo), len(todo))
        living = {node.memory for node in self.chunks.values()}
        for path, node in self.archive.items():
            yield self._chunk_file(path, node, self._view.graph.said(node), is_used=node.memory not in living)
        if self._moved or not self._indexes <= set(self._intact):
            yield from self._index_files()

    def _changed_chunks(self) -> list[str]:
        """The paths of the chunks to render again, in order."""
        if not self._old:
            return list(self.chunks)
        before = [node for path in self._moved for node in self._before.get(path, ())]
        after = [node for path in self._moved for node in self._view.memories.get(path, ())]
        names = {node.name for node in (*before, *after)}
        pointing = {node.path for node in self.chunks.values() for _, name, _ in node.manual if name in names}
        whole = {*self._moved, *self._used(), *pointing}
        ids = self._view.graph.touched(before, after)
        return [
            path
            for path, node in self.chunks.items()
            if node.path in whole or node.id in ids or path not in self._intact
        ]

    def _chunk_file(self, path: str, node: Node, links: ChunkLinks, *, is_used: bool = True) -> DerivedFile:
        """The file of a chunk. A deleted memory has no uses if another memory has its id now."""
        return _file(path, _rendered(node.chunk(links, self._counts.get(node.memory) if is_used else None)))

    def _index_files(self) -> Iterator[DerivedFile]:
        chunks = sorted((node, path) for path, node in self.chunks.items())
        updated = chunks[-1][0].created if chunks else None
        by_tag = linking.by_tag(node for node, _ in chunks)
        lists = {tag: _list(ids) for tag, ids in sorted(by_tag.items())}
        links = self._manifest.links() | self._links
        yield self._index("metadata_index", {node.id: _entry(node) for node, _ in chunks}, {}, updated)
        yield self._index("tag_index", {}, lists, updated)
        yield self._index("link_graph", {node.id: links[path] for node, path in chunks}, {}, updated)

    def _index(
        self, name: str, entries: Mapping[str, str], lists: Mapping[str, str], updated: str | None
    ) -> DerivedFile:
        """An index file; `entries` and `lists` are rendered JSON by chunk id and by tag."""
        parts = zip(_PARTS, (_members(entries), _members(lists), json.dumps(updated)), strict=True)
        text = "{\n" + ",\n".join(f'  "{key}": {part}' for key, part in parts) + "\n}\n"
        return _file(f"{self._base}index/{name}.json", text)


def _rendered(chunk: Chunk) -> str:
    return chunk.to_json() + "\n"


def _file(path: str, text: str) -> DerivedFile:
    data = text.encode()
    return DerivedFile(path, data, digest(data))


def _entry(node: Node) -> str:
    """What the index of chunks says of a chunk, as JSON two levels deep in a document."""
    parts = [
        f'"{key}": {_quoted(said) if isinstance(said, str) else repr(said)}' for key, said in node.entry.items()
    ]
    return "{\n      " + ",\n      ".join(parts) + "\n    }"


def _list(ids: Sequence[str]) -> str:
    """Chunk ids, which are ASCII without quotes, as a JSON list two levels deep in a document."""
    return "[\n      " + ",\n      ".join([f'"{id}"' for id in ids]) + "\n    ]"


def _members(rendered: Mapping[str, str]) -> str:
    members = [f"    {_quoted(key)}: {text}" for key, text in rendered.items()]
    return "{\n" + ",\n".join(members) + "\n  }" if rendered else "{}"
