"""The JSON mirror: chunks, indexes and archive in the RLM-MEM schema, rendered from the notes and from git.

Nothing is ever read back from it. The same memories and uses give the same bytes, however the mirror came to
them: a change rewrites only the chunks that say or link something else now, and the three indexes. Everything
is rendered aside first; then chunks are renamed into place, then the indexes, and what is stale goes last, so
that an index never names a chunk that is not there.

`access_count` and `last_accessed` are those of `.mdmem/usage.sqlite`: how often the memory was recalled here.
All chunks of a memory share them. `updated` of an index is the latest `created` in it: no clock is read.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from mdmem.errors import ConflictError, NoteError, UsageError
from mdmem.history import past
from mdmem.history.past import Deleted
from mdmem.local import files, lock, state, usage
from mdmem.local.usage import Use
from mdmem.systems.rlm import files as mirrored
from mdmem.systems.rlm import projection, schema, view
from mdmem.systems.rlm.files import Batch, File, Manifest, MirroredMemory, Stamp
from mdmem.systems.rlm.linking import ChunkHead, Graph, nodes
from mdmem.systems.rlm.schema import Chunk
from mdmem.text import moments, tokens
from mdmem.vault.vault import Vault

_PARTS = ["entries", "lists", "updated"]  # of an index
INDEXES = ("metadata_index", "tag_index", "link_graph")
_VERSION = "2"  # of what is rendered: another one renders everything anew

_quoted = json.encoder.encode_basestring  # a text as JSON, other letters than ASCII as they are

Progress = Callable[[int, int], None]
Texts = list[tuple[str, int]]  # content and tokens of each part of a memory


class Report(NamedTuple):
    """What the mirror holds, and how many of its files were written and removed for that."""

    chunks: int
    archived: int
    written: int
    removed: int


def _no_progress(done: int, total: int) -> None:
    del done, total


def update(
    vault: Vault, anew: bool = False, progress: Progress = _no_progress, patience: float = lock.PATIENCE
) -> Report:
    """Bring the mirror up to date; `anew` believes nothing of what is known of it and looks at every byte.

    Raises ConflictError for files of others that are in its way, BusyError if another process is at it for
    `patience` seconds, UsageError for a tokenizer that is not installed and for symbolic links, OSError.
    """
    folder = state.prepare(vault.root, vault.repo)
    with (
        lock.held(os.path.join(folder, "mirror.lock"), vault.tell, patience),
        closing(Manifest(os.path.join(folder, mirrored.MANIFEST))) as manifest,
    ):
        if anew:
            manifest.forget()
        known, base = manifest.stamps(), _base(vault)
        mirrored.claim(vault.root, base, known)
        found = mirrored.on_disk(vault.root, {base, *map(mirrored.base_of, known)})
        sound = {path: digest for path, (stamp, digest) in known.items() if found.get(path) == stamp}
        ours = known.keys() | {path for path in found.keys() - known.keys() if _is_ours(vault, path)}
        plan = _Plan(vault, manifest, known, sound)
        _refuse_foreign(plan.paths & (found.keys() - ours))
        left = ours - plan.paths
        with closing(Batch(vault.root, folder)) as batch:
            for file in plan.files(progress):
                kept = sound.get(file.path) == file.digest or _is_there(vault, file, found)
                batch.add(file, found[file.path] if kept else None)
            removed = sorted(path for path in left & found.keys() if path in sound or _is_ours(vault, path))
            manifest.announce(batch.staged)
            batch.apply(removed)
        manifest.save(plan.rows(), plan.uses(), plan.gone(), plan.state)
        manifest.keep(batch.done, left)
        return Report(len(plan.chunks), len(plan.archive), len(batch.staged), len(removed))


def follow(vault: Vault, paths: frozenset[str] | None, patience: float) -> None:
    """Follow a write: a follower, see mdmem.registry. Raises as `update`."""
    del paths  # what changed is told by the index and by the commits
    update(vault, patience=patience)


def stale(vault: Vault, progress: Progress = _no_progress) -> list[str]:
    """The files of the mirror that are missing, differ or should not be there, sorted. Nothing is changed."""
    with closing(Manifest(":memory:")) as manifest:
        plan = _Plan(vault, manifest, {}, {})
        found = mirrored.on_disk(vault.root, [_base(vault)])
        differing = {file.path for file in plan.files(progress) if not _is_there(vault, file, found)}
    unknown = found.keys() - plan.paths
    return sorted(differing | {path for path in unknown if _is_ours(vault, path)})


def _base(vault: Vault) -> str:
    folder = vault.config.mirror.folder
    return "" if folder in ("", ".") else folder + "/"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _is_there(vault: Vault, file: File, found: Mapping[str, Stamp]) -> bool:
    """Whether a file stands on the disk as it is to be; a link never does."""
    stamp = found.get(file.path)
    return stamp is not None and stamp.size == len(file.data) and files.read(vault.root, file.path) == file.data


def _is_ours(vault: Vault, path: str) -> bool:
    """Whether a file that is not known looks as the mirror writes it: what is known may have been deleted."""
    folder, _, name = path.removeprefix(_base(vault)).rpartition("/")
    try:
        text = files.read(vault.root, path).decode()
        if folder == "index":
            return name.removesuffix(".json") in INDEXES and [*json.loads(text)] == _PARTS
        return path.endswith(".json") and _rendered(Chunk.from_json(text)) == text
    except (NoteError, UsageError, ValueError, TypeError):  # a link, unreadable, or no JSON of ours
        return False


def _refuse_foreign(paths: Collection[str]) -> None:
    if paths:
        raise ConflictError(
            f"{min(paths)} is in the way: the mirror did not write it",
            'move it, or set another place in mdmem.toml: [mirror] folder = "json"',
        )


# -- what it is to hold --------------------------------------------------------------------------------------


class _Notes(NamedTuple):
    """The memories by path: as they were when last mirrored (`old`), and as they are.

    `heads` are those of all, `fresh` what was read anew: as it wants to be, and its texts.
    """

    old: Mapping[str, MirroredMemory]
    marks: Mapping[str, str]
    fresh: Mapping[str, tuple[ChunkHead, Texts]]
    heads: Mapping[str, ChunkHead]
    before: Mapping[str, ChunkHead]
    uses: Mapping[str, str]

    def moved(self) -> set[str]:
        """The memories of which more than the text is another, or that came or went."""
        paths = self.heads.keys() | self.before.keys()
        return {path for path in paths if self.heads.get(path) != self.before.get(path)}

    def used(self) -> dict[str, str]:
        """path -> use of the memories that were recalled since."""
        return {path: use for path, use in self.uses.items() if path in self.old and self.old[path].use != use}

    def gone(self) -> set[str]:
        return self.old.keys() - self.heads.keys()


def _notes(vault: Vault, manifest: Manifest, count: Callable[[str], int]) -> _Notes:
    old = manifest.notes()
    prefix = f"{_VERSION} {vault.config.mirror.tokenizer}"
    marks = {path: f"{prefix} {mark}" for path, mark in vault.index.marks().items()}
    changed = [path for path, mark in marks.items() if path not in old or old[path].mark != mark]
    fresh: dict[str, tuple[ChunkHead, Texts]] = {}
    for note, created in view.notes(vault, changed):
        head, chunks = view.projected(note, created, count)
        fresh[note.path] = head, _texts_of(chunks)
    known = {path: ChunkHead.read(one.head) for path, one in old.items()}
    heads = projection.distinct({path: fresh[path][0] if path in fresh else known[path] for path in marks})
    counts = usage.counts(vault.root)
    uses = {path: _use(counts.get(head.memory)) for path, head in heads.items()}
    return _Notes(old, marks, fresh, heads, projection.distinct(known), uses)


def _texts_of(chunks: Sequence[Chunk]) -> Texts:
    return [(one.content, one.tokens) for one in chunks]


def _use(use: Use | None) -> str:
    return f"{use.times} {moments.of_seconds(use.last) if use.last else ''}" if use else ""


class _Plan:
    """All that the mirror is to hold, and what of it has to be rendered again.

    `chunks` are the places of the chunks, with memory and part; `archive` those of deleted ones; `paths` all.
    """

    def __init__(self, vault: Vault, manifest: Manifest, known: Collection[str], sound: Collection[str]) -> None:
        count = tokens.counter(vault.config.mirror.tokenizer)
        self._manifest, self._base, self._notes = (
            manifest,
            _base(vault),
            vault.index.retry_as_one(lambda: _notes(vault, manifest, count)),
        )
        self.chunks = {
            f"{self._base}chunks/{schema.month(id, head.created)}/{id}.json": (head, part)
            for head in self._notes.heads.values()
            for part, id in enumerate(head.ids)
        }
        self._graph = Graph(self._notes.heads.values())
        self._links: dict[str, str] = {}  # of the chunks rendered
        self._todo = self._affected(sound)
        self.state: dict[str, str] = {}  # what else is to be known
        self._archive_files: list[File] = []
        self._set_archive(vault, known, sound, count)
        indexes = {f"{self._base}index/{name}.json" for name in INDEXES}
        self._reindex = bool(self._notes.moved() or not indexes <= set(sound))
        self._sound = sound
        self.paths = {*self.chunks, *self.archive, *indexes}

    def _affected(self, sound: Collection[str]) -> list[str]:
        """The chunks to render again, in order."""
        notes = self._notes
        if not notes.old:
            return list(self.chunks)
        moved = notes.moved()
        sides = [[side[path] for path in sorted(moved) if path in side] for side in (notes.before, notes.heads)]
        names = {head.name for side in sides for head in side}
        pointing = self._graph.pointing(notes.heads.values(), names)
        whole = {*moved, *notes.fresh, *notes.used(), *(head.path for head in pointing)}
        ids = self._graph.touched(*sides)
        return [
            path
            for path, (head, part) in self.chunks.items()
            if head.path in whole or head.ids[part] in ids or path not in sound
        ]

    def files(self, progress: Progress) -> Iterator[File]:
        """What has to be rendered again: chunks, archive, and the indexes last."""
        for done, path in enumerate(self._todo):
            progress(done, len(self._todo))
            yield self._chunk_file(path)
        progress(len(self._todo), len(self._todo))
        yield from self._archive_files
        if self._reindex:
            yield from self._index_files()

    def _chunk_file(self, path: str) -> File:
        head, part = self.chunks[path]
        text, count = self._texts(head.path)[part]
        linked = self._graph.links(head, part)
        made = projection.chunk_of(head, part, text, count, linked)
        _count_use(made, self._notes.uses[head.path])
        self._links[path] = _nested(linked.to_dict())
        return _file(path, _rendered(made), self._links[path])

    def _texts(self, path: str) -> Texts:
        fresh = self._notes.fresh.get(path)
        return fresh[1] if fresh else self._manifest.texts(path)

    def rows(self) -> Iterator[tuple[str, str, str, str, str]]:
        """What is to be known of the memories that were read anew: path, mark, use, head, texts."""
        for path, (head, texts) in self._notes.fresh.items():
            yield path, self._notes.marks[path], self._notes.uses[path], _compact(head), _compact(texts)

    def uses(self) -> Collection[tuple[str, str]]:
        """(path, use) of the memories that are known already and were recalled since."""
        return self._notes.used().items()

    def gone(self) -> set[str]:
        """The memories that are known and are no more."""
        return self._notes.gone()

    # -- the archive

    def _set_archive(
        self, vault: Vault, known: Collection[str], sound: Collection[str], count: Callable[[str], int]
    ) -> None:
        """Deleted memories are linked as their properties say; a use counts for the living one of that id."""
        living = {head.memory for head in self._notes.heads.values()}
        uses = {id: _use(use) for id, use in usage.counts(vault.root).items() if id not in living}
        heads = self._trash(vault, count)
        said = [self._graph.said(head) for head in heads]
        told = [(head, one.to_dict(), uses.get(head.memory)) for head, one in zip(heads, said, strict=True)]
        made_of = _digest(_compact([_VERSION, self._state("trash"), told]).encode())
        self.archive = {f"{self._base}archive/{id}.json" for head in heads for id in head.ids}
        kept = {path for path in known if path.startswith(f"{self._base}archive/")}
        if self._state("archive") == made_of and self.archive == kept and kept <= set(sound):
            return
        self.state["archive"] = made_of
        for head, one, texts in zip(heads, said, self._texts_of_archive(), strict=True):
            for part, (text, tokens_) in enumerate(texts):
                made = projection.chunk_of(head, part, text, tokens_, one)
                _count_use(made, uses.get(head.memory, ""))
                self._archive_files.append(_file(f"{self._base}archive/{made.id}.json", _rendered(made)))

    def _state(self, key: str) -> str:
        return self.state.get(key) or self._manifest.state(key)

    def _texts_of_archive(self) -> list[Texts]:
        return list(json.loads(self._state("texts") or "[]"))

    def _trash(self, vault: Vault, count: Callable[[str], int]) -> list[ChunkHead]:
        """The deleted memories, the latest deletion first, no chunk with the id of another or of a living one.

        History is asked only if a commit deletes others than last time, if one that was ever deleted is back,
        moved or gone, or if other files are not committed. One of those that is gone may have moved or not, which
        the text of the others decides: then history is asked each time.
        """
        index, told = vault.index, json.loads(self._manifest.state("trash") or "[]")
        gone = index.uncommitted() - self._notes.heads.keys()
        if not told or gone or told[0] != self._basis(vault, told[1]):
            told = self._ask_trash(vault, count, told)
        heads = [ChunkHead.read(row) for _, row in told[2]]
        ids = (id for head in self._notes.heads.values() for id in head.ids)
        return list(projection.distinct({str(at): head for at, head in enumerate(heads)}, ids).values())

    def _basis(self, vault: Vault, ids: Collection[str]) -> str:
        """What tells whether the trash is as it was; `ids` are of all memories that were ever deleted."""
        index, heads, deleted = vault.index, self._notes.heads, set(ids)
        homes = [(path, head.memory) for path, head in heads.items() if head.memory in deleted]
        open_ = sorted((path, heads[path].memory if path in heads else "") for path in index.uncommitted())
        told = [sorted(index.deleting_commits()), homes, open_, index.head if open_ else ""]
        return _digest(_compact([self._setting(vault), told]).encode())

    def _setting(self, vault: Vault) -> list[str]:
        return [_VERSION, vault.config.mirror.tokenizer, vault.config.id, vault.config.memories]

    def _ask_trash(self, vault: Vault, count: Callable[[str], int], told: list[Any]) -> list[Any]:
        """[basis, ids, [(what it was made of, head), ...]] from history; what is known is not read again."""
        rows = told[2] if told else []
        known = {of: (head, texts) for (of, head), texts in zip(rows, self._texts_of_archive(), strict=True)}
        items, ids = past.deletions(vault)
        found = []
        for item in items:
            of = _compact([*self._setting(vault), item.path, item.blob, view.created(vault, item)])
            if not item.permanent and (one := known.get(of) or self._deleted(vault, item, count)):
                found.append((of, *one))
        self.state["texts"] = _compact([texts for _, _, texts in found])
        told = [self._basis(vault, ids), sorted(ids), [(of, head) for of, head, _ in found]]
        self.state["trash"] = _compact(told)
        return told

    def _deleted(self, vault: Vault, item: Deleted, count: Callable[[str], int]) -> tuple[ChunkHead, Texts] | None:
        found = view.deleted(vault, item, count)
        return (found[0], _texts_of(found[1])) if found else None

    # -- the indexes

    def _index_files(self) -> Iterator[File]:
        order = [node[3] for node in sorted(node for head in self._notes.heads.values() for node in nodes(head))]
        places = {head.ids[part]: (path, head) for path, (head, part) in self.chunks.items()}
        updated = places[order[-1]][1].created if order else None
        by_tag: dict[str, list[str]] = {}
        for id in order:
            for tag in places[id][1].tags:
                by_tag.setdefault(tag, []).append(id)
        lists = {tag: _list(ids) for tag, ids in sorted(by_tag.items())}
        yield self._index_file("metadata_index", {id: _entry(places[id][1]) for id in order}, {}, updated)
        yield self._index_file("tag_index", {}, lists, updated)
        ordered = _digest(_compact([order, updated]).encode())
        if self._is_linked_anew() or ordered != self._manifest.state("order"):
            self.state["order"] = ordered
            links = self._manifest.links() | self._links
            yield self._index_file("link_graph", {id: links[places[id][0]] for id in order}, {}, updated)

    def _is_linked_anew(self) -> bool:
        """Whether the link graph is not as it was left, or chunks are linked in another way now."""
        if f"{self._base}index/link_graph.json" not in self._sound:
            return True
        return any(self._manifest.link(path) != piece for path, piece in self._links.items())

    def _index_file(
        self, name: str, entries: Mapping[str, str], lists: Mapping[str, str], updated: str | None
    ) -> File:
        """`entries` and `lists` are rendered already, by the id of the chunk and by tag."""
        parts = zip(_PARTS, (_members(entries), _members(lists), json.dumps(updated)), strict=True)
        text = "{\n" + ",\n".join(f'  "{key}": {part}' for key, part in parts) + "\n}\n"
        return _file(f"{self._base}index/{name}.json", text)


def _entry(head: ChunkHead) -> str:
    told = {"type": head.type, "conversation_id": head.conversation, "created": head.created}
    members = "".join([f'      "{key}": {_quoted(text)},\n' for key, text in told.items()])
    return f'{{\n{members}      "confidence": {head.confidence!r}\n    }}'


def _list(ids: list[str]) -> str:
    """Ids of chunks, which are ASCII without quotes, as JSON two levels deep in a document."""
    return "[\n      " + ",\n      ".join([f'"{id}"' for id in ids]) + "\n    ]"


def _members(rendered: Mapping[str, str]) -> str:
    members = [f"    {_quoted(key)}: {text}" for key, text in rendered.items()]
    return "{\n" + ",\n".join(members) + "\n  }" if rendered else "{}"


def _nested(value: Any) -> str:
    """A value as JSON, as it stands two levels deep in a document."""
    return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n    ")


def _rendered(one: Chunk) -> str:
    return one.to_json() + "\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _file(path: str, text: str, links: str = "") -> File:
    data = text.encode()
    return File(path, data, _digest(data), links)


def _count_use(one: Chunk, use: str) -> None:
    if use:
        times, _, last = use.partition(" ")
        one.metadata.access_count, one.metadata.last_accessed = int(times), last or None
