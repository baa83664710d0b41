"""The archive of the mirror: one file for each chunk of a deleted memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.history import past
from mdmem.history.past import Deleted
from mdmem.store.local import usage
from mdmem.store.local.usage import Use
from mdmem.store.vault.derived import DerivedFile
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import projection, view
from mdmem.systems.rlm.linking import ChunkHead, Graph
from mdmem.systems.rlm.mirror.known import VERSION, MirrorManifest, Texts, texts_of
from mdmem.systems.rlm.mirror.rendered import chunk_file, compact, digest
from mdmem.systems.rlm.schema import ChunkLinks

Count = Callable[[str], int]
Heads = Mapping[str, ChunkHead]


class DeletedMemory(NamedTuple):
    """A deleted memory: what it was read from, its head and its texts."""

    made_of: str
    head: ChunkHead
    texts: Texts


class Trash(NamedTuple):
    """The deleted memories, latest deletion first.

    `basis` changes when the trash may have changed; `ids` are those of all memories that were ever deleted.
    """

    basis: str = ""
    ids: Collection[str] = ()
    memories: Sequence[DeletedMemory] = ()

    @classmethod
    def read(cls, told: str) -> Trash:
        """The trash from the JSON that it becomes; empty for none."""
        if not told:
            return cls()
        basis, ids, rows = json.loads(told)
        return cls(basis, ids, [DeletedMemory(of, ChunkHead(*head), texts) for of, head, texts in rows])


class Archive(NamedTuple):
    """All paths of the archive, the files that have to be written, and the state to store afterwards."""

    paths: Collection[str]
    files: Iterable[DerivedFile]
    state: Mapping[str, str]


def archive(
    vault: Vault,
    manifest: MirrorManifest,
    base: str,
    heads: Heads,
    graph: Graph,
    intact: Collection[str],
    count: Count,
) -> Archive:
    """The archive of a vault, in which `heads` are the existing memories.

    Deleted memories have only the links in their properties. A use counts for an existing memory of that id, if
    there is one.
    """
    known = Trash.read(manifest.state("deleted"))
    trash = _trash(vault, known, heads, count)
    state = {} if trash is known else {"deleted": compact(trash)}
    living = {head.memory for head in heads.values()}
    uses = {id: use for id, use in usage.counts(vault.root).items() if id not in living}
    shown = _without_ids_of_others([one.head for one in trash.memories], heads)
    seen = [(head, graph.said(head), uses.get(head.memory)) for head in shown]
    told = state.get("deleted") or manifest.state("deleted")
    linked = [(head, links.to_dict(), use) for head, links, use in seen]
    made_of = digest(compact([VERSION, told, linked]).encode())
    paths = {f"{base}archive/{id}.json" for head in shown for id in head.ids}
    written = {path for path in manifest.stamps() if path.startswith(f"{base}archive/")}
    if manifest.state("archive") == made_of and paths == written and written <= set(intact):
        return Archive(paths, (), state)
    return Archive(paths, _files(base, seen, trash.memories), {**state, "archive": made_of})


def _files(
    base: str, seen: Iterable[tuple[ChunkHead, ChunkLinks, Use | None]], memories: Iterable[DeletedMemory]
) -> Iterator[DerivedFile]:
    for (head, links, use), memory in zip(seen, memories, strict=True):
        for part, said in enumerate(memory.texts):
            yield chunk_file(f"{base}archive/{head.ids[part]}.json", head, part, said, links, use)


def _without_ids_of_others(trash: Sequence[ChunkHead], living: Heads) -> list[ChunkHead]:
    """The memories of the trash with distinct chunk ids, none of which an existing memory has."""
    ids = (id for head in living.values() for id in head.ids)
    return list(projection.distinct({str(at): head for at, head in enumerate(trash)}, ids).values())


# -- the trash -----------------------------------------------------------------------------------------------


def _trash(vault: Vault, known: Trash, heads: Heads, count: Count) -> Trash:
    """The deleted memories of a vault, as they are known or read from history.

    History is read only if other commits delete memories than last time, if a memory that was once deleted is
    back, moved or gone, or if other files are uncommitted. If a file is gone, it may have been moved, which
    depends on the text of other files: then history is read each time.
    """
    gone = vault.index.uncommitted() - heads.keys()
    if known.basis and not gone and known.basis == _basis(vault, heads, known.ids):
        return known
    remembered = {one.made_of: one for one in known.memories}
    items, ids = past.deletions(vault)
    memories = list(_read(vault, items, remembered, count))
    return Trash(_basis(vault, heads, ids), sorted(ids), memories)


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


def _basis(vault: Vault, heads: Heads, ids: Collection[str]) -> str:
    """A digest that changes when the trash may have changed; `ids` are those of all memories ever deleted."""
    index, deleted = vault.index, set(ids)
    homes = [(path, head.memory) for path, head in heads.items() if head.memory in deleted]
    edited = sorted((path, heads[path].memory if path in heads else "") for path in index.uncommitted())
    told = [sorted(index.deleting_commits()), homes, edited, index.head if edited else ""]
    return digest(compact([_settings(vault), told]).encode())


def _settings(vault: Vault) -> list[str]:
    seen = [vault.clearance.limit, vault.index.concealed.mark]
    return [VERSION, vault.config.mirror.tokenizer, vault.config.id, vault.config.memories, *seen]
