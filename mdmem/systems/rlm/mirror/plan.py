"""What the mirror should hold, and which of its files have to be rendered again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mdmem.note import tokens
from mdmem.store.progress import Progress
from mdmem.store.vault.derived import DerivedFile
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import schema
from mdmem.systems.rlm.linking import ChunkHead, Graph, nodes
from mdmem.systems.rlm.mirror import indexes, known
from mdmem.systems.rlm.mirror.archive import archive
from mdmem.systems.rlm.mirror.known import MirroredMemories, MirrorManifest
from mdmem.systems.rlm.mirror.rendered import chunk_file, compact, digest, nested

Places = Mapping[str, tuple[ChunkHead, int]]  # path of a chunk -> its memory, and which part of it


class MirrorPlan:
    """The files that the mirror should hold. `intact` are those that nobody changed since they were written.

    `chunks` are the places of the chunks by path, `archive` the deleted ones, `paths` those of all files. `state`
    is what the manifest is to keep; it is complete once `files` is exhausted.
    """

    def __init__(self, vault: Vault, manifest: MirrorManifest, base: str, intact: Collection[str]) -> None:
        count = tokens.counter(vault.config.mirror.tokenizer)
        self._manifest, self._base, self._intact = manifest, base, intact
        self.memories = vault.index.retry_as_one(lambda: known.memories(vault, manifest, count))
        self._graph = Graph(self.memories.heads.values())
        self.chunks = _places(base, self.memories)
        self.archive = archive(vault, manifest, base, self.memories.heads, self._graph, intact, count)
        self.state = dict(self.archive.state)
        self._indexes = {f"{base}index/{name}.json" for name in indexes.INDEXES}
        self.paths = {*self.chunks, *self.archive.paths, *self._indexes}
        self._links: dict[str, str] = {}  # path of a rendered chunk -> its piece of the link graph

    def files(self, progress: Progress) -> Iterator[DerivedFile]:
        """The files that have to be rendered again: chunks, then the archive, and the indexes last."""
        todo = self._changed_chunks()
        for done, path in enumerate(todo):
            progress(done, len(todo))
            yield self._chunk_file(path)
        progress(len(todo), len(todo))
        yield from self.archive.files
        if self.memories.moved() or not self._indexes <= set(self._intact):
            yield from self._index_files()

    def _changed_chunks(self) -> list[str]:
        """The paths of the chunks to render again, in order."""
        memories, graph = self.memories, self._graph
        if not memories.old:
            return list(self.chunks)
        moved = sorted(memories.moved())
        before = [memories.before[path] for path in moved if path in memories.before]
        after = [memories.heads[path] for path in moved if path in memories.heads]
        names = {head.name for head in (*before, *after)}
        pointing = {head.path for head in memories.heads.values() for _, name, _ in head.manual if name in names}
        whole = {*moved, *memories.fresh, *memories.used(), *pointing}
        ids = graph.touched(before, after)
        return [
            path
            for path, (head, part) in self.chunks.items()
            if head.path in whole or head.ids[part] in ids or path not in self._intact
        ]

    def _chunk_file(self, path: str) -> DerivedFile:
        head, part = self.chunks[path]
        fresh = self.memories.fresh.get(head.path)
        said = (fresh[1] if fresh else self._manifest.texts(head.path))[part]
        links = self._graph.links(head, part)
        self._links[path] = nested(links.to_dict())
        file = chunk_file(path, head, part, said, links, self.memories.uses[head.path])
        return file._replace(links=self._links[path])

    def _index_files(self) -> Iterator[DerivedFile]:
        places = {head.ids[part]: (path, head) for path, (head, part) in self.chunks.items()}
        order = [node[3] for node in sorted(node for head in self.memories.heads.values() for node in nodes(head))]
        heads = {id: places[id][1] for id in order}
        updated = heads[order[-1]].created if order else None
        yield indexes.metadata_index(self._base, heads, updated)
        yield indexes.tag_index(self._base, heads, updated)
        ordered = digest(compact([order, updated]).encode())
        if self._is_linked_anew() or ordered != self._manifest.state("order"):
            self.state["order"] = ordered
            links = self._manifest.links() | self._links
            yield indexes.link_graph(self._base, {id: links[places[id][0]] for id in order}, updated)

    def _is_linked_anew(self) -> bool:
        """Whether the link graph's file is missing or was changed, or a rendered chunk has other links now."""
        if f"{self._base}index/link_graph.json" not in self._intact:
            return True
        return any(self._manifest.link(path) != piece for path, piece in self._links.items())


def _places(base: str, memories: MirroredMemories) -> Places:
    return {
        f"{base}chunks/{schema.month(id, head.created)}/{id}.json": (head, part)
        for head in memories.heads.values()
        for part, id in enumerate(head.ids)
    }
