"""The memories of an open vault as chunks: found by id, with their computed links and their uses.

A view is kept for as long as a program works with the vault. It follows the index: notes changed by others are
read again. What the program itself writes is noted when it is staged, so that no write looks at all notes.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING

from mdmem.errors import NoteError, NotFoundError, Problem, warning
from mdmem.history import past
from mdmem.note import links, memory, moments, tokens
from mdmem.note.header import HEADER_PROBLEMS
from mdmem.note.memory import Memory, stem
from mdmem.note.yamltext import Value
from mdmem.store.index.port import Deleted, Edition
from mdmem.store.local.usage import Use
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import linking, projection, schema
from mdmem.systems.rlm.linking import Graph, Node
from mdmem.systems.rlm.projection import Count
from mdmem.systems.rlm.schema import Chunk, ChunkLinks, is_id

if TYPE_CHECKING:
    from mdmem.recall.pool import Hit

logger = logging.getLogger("mdmem.chunks")
_BROKEN = HEADER_PROBLEMS - {"frontmatter-second"}  # the properties of such a note are unknown
_AT_ONCE = 500  # notes that are read with one query


def _notes(vault: Vault, paths: Sequence[str]) -> Iterator[tuple[Memory, str]]:
    """The memories at some paths, and when they were created (RFC 3339), from history if need be.

    A memory whose header cannot be read is skipped and logged: its text alone would be another memory.
    """
    broken = {problem.path for problem in vault.index.problems() if is_broken(problem)}.intersection(paths)
    for path in sorted(broken):
        logger.warning("%s is not a chunk while its header cannot be read", path)
    sound = [path for path in paths if path not in broken]
    for at in range(0, len(sound), _AT_ONCE):
        for record in vault.index.records_at(sound[at : at + _AT_ONCE]):
            body = vault.index.body(record.path)
            note = Memory(record.path, record.id, record.meta, body, "frontmatter", record.body_line)
            yield note, record.created


def is_broken(problem: Problem) -> bool:
    """Whether a problem means that a header cannot be read."""
    return problem.code in _BROKEN


def deleted(vault: Vault, item: Deleted, count: Count) -> list[Node]:
    """The chunks of a deleted memory; none if it cannot be read."""
    try:
        note = vault.parse(vault.redacted(vault.repo.file(item.blob, item.path)), item.path)
    except NoteError:
        return []
    if any(map(is_broken, note.problems)):
        return []
    return projection.nodes_of(note, created(vault, item), count)


def created(vault: Vault, item: Deleted) -> str:
    """When a deleted memory was created, from history (RFC 3339); "" if unknown."""
    born = vault.index.born(item.path, item.commit)
    return "" if born is None else moments.of_seconds(born)


def trash(vault: Vault, count: Count) -> Iterator[tuple[Deleted, list[Node]]]:
    """The deleted memories that programs may restore, latest first, each with its chunks."""
    for item in past.trash(vault):
        if not item.permanent and (found := deleted(vault, item, count)):
            yield item, found


class ChunkView:
    """All chunks of a vault: those of its `memories` by path, and their `graph`."""

    def __init__(self, vault: Vault, known: Mapping[str, tuple[str, list[Node]]] = MappingProxyType({})) -> None:
        """`known` are the memories as they were read before: path -> mark of the note, and its chunks.

        Raises UsageError for a tokenizer that is not installed.
        """
        self._vault = vault
        self.count = tokens.counter(vault.config.mirror.tokenizer)
        self.forget()
        self.marks |= {path: mark for path, (mark, _) in known.items()}
        self._wanted |= {path: nodes for path, (_, nodes) in known.items()}

    def forget(self) -> None:
        """Forget everything: the next `refresh` reads all notes."""
        self._edition: Edition | None = None
        self.marks: dict[str, str] = {}  # path -> what tells one state of a note from another
        self._wanted: dict[str, list[Node]] = {}  # path -> chunks of the memory, with the ids that it asks for
        self._arrange()

    # -- looking -------------------------------------------------------------------------------------------

    def find(self, id: str) -> Node | None:
        """The chunk with that id, None if there is none."""
        node = self._by_id.get(id.lower())
        return node if node and node.id == id else None

    def has(self, id: str) -> bool:
        """Whether a chunk id is taken, regardless of case."""
        return id.lower() in self._by_id

    def nodes(self) -> list[Node]:
        """All chunks, in order of creation."""
        return sorted(self._by_id.values())

    def chunk(self, node: Node, use: Use | None = None) -> Chunk:
        """A chunk with its links."""
        return node.chunk(self.graph.links(node), use)

    # -- following -----------------------------------------------------------------------------------------

    def refresh(self) -> dict[str, list[Node]]:
        """Take over what has changed in the index: the chunks of the memories that were read again, by path."""
        index = self._vault.index
        edition = index.edition()
        if edition == self._edition:
            return {}
        marks = index.marks()
        changed = [path for path, mark in marks.items() if self.marks.get(path) != mark]
        fresh = {
            note.path: projection.nodes_of(note, made, self.count) for note, made in _notes(self._vault, changed)
        }
        stays = marks.keys() - (set(changed) - fresh.keys())
        wanted = {path: nodes for path, nodes in self._wanted.items() if path in stays}
        self._wanted = dict(sorted((wanted | fresh).items()))
        self._arrange()
        self.marks, self._edition = marks, edition
        return fresh

    def note(self, path: str, nodes: list[Node] | None) -> None:
        """Note the present state of a memory; None if it is gone."""
        old = self._wanted.pop(path, [])
        self._wanted |= {path: nodes} if nodes else {}
        known = (self._by_id.get(node.id.lower()) for node in nodes or ())
        if self._clashing or any(other and other.path != path for other in known):
            self._arrange()
            return
        self.memories.pop(path, None)
        self.memories |= {path: nodes} if nodes else {}
        for node in old:
            self.graph.remove(node)
            del self._by_id[node.id.lower()]
        for node in nodes or ():
            self.graph.add(node)
            self._by_id[node.id.lower()] = node

    def _arrange(self) -> None:
        self.memories = projection.distinct(self._wanted)
        self._clashing = self.memories != self._wanted
        nodes = [node for nodes in self.memories.values() for node in nodes]
        self._by_id = {node.id.lower(): node for node in nodes}
        self.graph = Graph(nodes)

    def confirm(self, before: Edition) -> None:
        """Declare that the index has taken in exactly what was noted since `before`."""
        now = self._vault.index.edition()
        if before == self._edition and now._replace(own=before.own) == before:
            self._edition = now

    # -- links that are written ----------------------------------------------------------------------------

    def link_changes(
        self, node: Node, note: Memory, wanted: Mapping[str, Sequence[str]], by_id: Container[str] = ()
    ) -> dict[str, Value]:
        """The property changes by which a chunk has exactly the links `wanted` (kind -> ids).

        Links that are computed anyway are not written, nor are invalid chunk ids; a link to something other than a
        chunk stays. Chunks in `by_id` are linked to by id, because their notes are about to be deleted.
        """
        changes: dict[str, Value] = {}
        for kind, ids in wanted.items():
            items = note.strings(kind)
            kept = [item for item in items if (id := self._target(item)) == "" or id in ids]
            known = {self._target(item) for item in kept} | {node.id}
            new = [
                self._link(id, by_id)
                for id in ids
                if is_id(id) and id not in known and not self._is_computed(kind, node, id)
            ]
            made = list(dict.fromkeys([*kept, *new]))
            if made != list(items):
                changes[kind] = [*made] or None
        return changes

    def _target(self, link: str) -> str:
        """The id of the chunk that a wikilink refers to, "" if none."""
        written = links.wikilink_target(link)
        return self.graph.target(memory.fold(stem(written)), written) if written else ""

    def _is_computed(self, kind: str, node: Node, id: str) -> bool:
        other = self.find(id)
        return other is not None and linking.implied(kind, node, other)

    def _link(self, id: str, by_id: Container[str]) -> str:
        """A wikilink to a chunk: by the name of its note, or by id if it is not the first chunk of its note."""
        node = None if id in by_id else self.find(id)
        return f"[[{stem(node.path)}]]" if node and node.part == 0 else f"[[{id}]]"


def part_of(hit: Hit, chunks: Sequence[Node]) -> int:
    """The index of the chunk that holds the passage of a hit, else of the first one with most of its words."""

    def fits(part: int) -> tuple[bool, int, int]:
        text = chunks[part].content
        return hit.text.strip() in text, sum(word in text.casefold() for word in hit.found), -part

    return max(range(len(chunks)), key=fits)


def problems(vault: Vault) -> Iterator[Problem]:
    """A warning for each value of a note with chunk properties that the schema does not allow."""
    for record in vault.index.records():
        if not any(key.startswith("chunk_") for key in record.meta):
            continue
        with suppress(NoteError, NotFoundError):  # reported elsewhere
            yield from _objections(vault.get(record.path), record.created)


def _objections(note: Memory, created: str) -> Iterator[Problem]:
    if "chunk_tokens" in note.meta and note.number("chunk_tokens") is None:
        message = f"chunk_tokens is {note.text('chunk_tokens')!r}, not a number"
        yield warning("chunk", note.path, message, schema.TOKENS_FIX)
    for node in projection.nodes_of(note, created, tokens.estimate):
        for objection in schema.objections(node.chunk(ChunkLinks())):
            if objection.fix:
                message = f"as a chunk, its {objection.field} {objection.message}"
                yield warning("chunk", note.path, message, objection.fix)
