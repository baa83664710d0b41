"""The computed links between chunks: same conversation, created within five minutes, a tag in common.

They are never stored in notes. As the schema says, all chunks of a group are linked with each other, but only
while the group is small: a conversation of up to 200 chunks, a tag of up to 60. Otherwise n chunks would have n^2
links; in a larger group a chunk is linked with its neighbours in time, as many on either side, so that links still
go both ways. `index/tag_index.json` and `metadata_index.json` list every group in full.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mdmem.note import moments
from mdmem.store.local.usage import Use
from mdmem.systems.rlm.schema import Chunk, ChunkLinks, ChunkMetadata, is_id

WINDOW = 300.0  # seconds within which chunks of a conversation follow one another
_LIMITS = {"conversation": (200, 50), "memory": (200, 50), "tag": (60, 5)}  # all up to n, else m on either side

Key = tuple[str, str]  # of a group: what its chunks share, and the name of that


class Node(NamedTuple):
    """A chunk without its links and uses: the `part` of a `memory`. Nodes sort in order of creation.

    `when` is the time of `created` (Unix seconds), `name` the folded one of its note. `manual` has [kind, folded
    target, target as written] for each link in the note's properties. All values are those of JSON, so that a node
    reads back from it as it was.
    """

    when: float
    memory: str
    part: int
    id: str
    path: str
    name: str
    type: str
    created: str
    conversation: str
    source: str
    confidence: float
    tags: list[str]
    manual: list[list[str]]
    content: str
    tokens: int

    def chunk(self, links: ChunkLinks, use: Use | None = None) -> Chunk:
        """The chunk with these links. The time of its use is not before `created`."""
        about = ChunkMetadata(self.created, self.conversation, self.source, self.confidence)
        if use:
            last = self.created if use.last < self.when else moments.of_seconds(use.last)
            about.access_count, about.last_accessed = use.times, last if use.last else None
        return Chunk(self.id, self.content, self.tokens, self.type, about, links, list(self.tags))

    @property
    def entry(self) -> dict[str, Any]:
        """What the index of chunks says of it."""
        return {
            "type": self.type,
            "conversation_id": self.conversation,
            "created": self.created,
            "confidence": self.confidence,
        }


def by_tag(nodes: Iterable[Node]) -> dict[str, list[str]]:
    """tag -> the ids of the chunks that have it, in the order given."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        for tag in node.tags:
            found.setdefault(tag, []).append(node.id)
    return found


def _sequence(node: Node) -> Key:
    """The group in which chunks follow others: the conversation, else the memory itself."""
    return ("conversation", node.conversation) if node.conversation else ("memory", node.memory)


def implied(kind: str, node: Node, other: Node) -> bool:
    """Whether a link to another chunk is computed and need not be written."""
    same = bool(node.conversation) and node.conversation == other.conversation
    if kind == "context_of":
        return same
    if kind == "related_to":
        return not same and bool({*node.tags} & {*other.tags})
    is_before = node.when - WINDOW <= other.when and other < node
    return kind == "follows" and is_before and _sequence(node) == _sequence(other)


def groups(node: Node) -> Iterator[Key]:
    """The groups that a chunk belongs to."""
    yield _sequence(node)
    for tag in node.tags:
        yield "tag", tag


class Graph:
    """All chunks by group, to compute their links."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._groups: dict[Key, list[Node]] = {}
        self._first: dict[str, str] = {}  # name of a memory -> its first chunk
        for node in nodes:
            self.add(node)

    def add(self, node: Node) -> None:
        """Add a chunk."""
        if node.part == 0:
            self._first.setdefault(node.name, node.id)
        for key in groups(node):
            insort(self._groups.setdefault(key, []), node)

    def remove(self, node: Node) -> None:
        """Remove a chunk, given as it was when it was added."""
        if self._first.get(node.name) == node.id:
            del self._first[node.name]
        for key in groups(node):
            self._groups[key].remove(node)

    def links(self, node: Node) -> ChunkLinks:
        """The links of a chunk, in order of creation; for those it follows, the nearest first."""
        found = self.said(node)
        sequence = _sequence(node)
        near = _near(self._groups[sequence], node, sequence)
        if node.conversation:
            _add(found.context_of, near)
        before = [other for other in near if node.when - WINDOW <= other.when and other < node]
        _add(found.follows, reversed(before))
        tagged = (other for tag in node.tags for other in _near(self._groups["tag", tag], node, ("tag", tag)))
        _add(found.related_to, sorted(other for other in tagged if implied("related_to", node, other)))
        return found

    def said(self, node: Node) -> ChunkLinks:
        """The links in the note's properties. Of links without a target note only those to a chunk id are kept."""
        found = ChunkLinks()
        for kind, name, written in node.manual:
            target = self.target(name, written)
            ids = getattr(found, kind)
            if target and target not in ids:
                ids.append(target)
        return found

    def target(self, name: str, written: str) -> str:
        """The id of the chunk that a link refers to, by its folded name or as written; "" if none."""
        return self._first.get(name) or (written if is_id(written) and written.startswith("chunk-") else "")

    def touched(self, before: Iterable[Node], after: Iterable[Node]) -> set[str]:
        """The ids of chunks whose links may differ after chunks changed from `before` to `after`."""
        moved: dict[Key, tuple[list[Node], list[Node]]] = {}
        for side, nodes in enumerate((before, after)):
            for node in nodes:
                for key in groups(node):
                    moved.setdefault(key, ([], []))[side].append(node)
        found: set[str] = set()
        for key, (gone, came) in moved.items():
            now = self._groups.get(key, [])
            left = {node.id for node in came}
            then = sorted([*(node for node in now if node.id not in left), *gone])
            for group, some in ((then, gone), (now, came)):
                found.update(node.id for node in _around(group, some, key))
        return found


def _around(group: list[Node], some: list[Node], key: Key) -> Iterator[Node]:
    """The nodes of a group whose links depend on `some` of its nodes: all of them if the group is small."""
    if len(group) <= _LIMITS[key[0]][0]:
        yield from group
        return
    for node in some:
        yield node
        yield from _near(group, node, key)


def _near(group: list[Node], node: Node, key: Key) -> list[Node]:
    """The other nodes of a group that a node is linked with, in order."""
    whole, reach = _LIMITS[key[0]]
    at = bisect_left(group, node)
    if len(group) <= whole:
        return group[:at] + group[at + 1 :]
    return group[max(0, at - reach) : at] + group[at + 1 : at + 1 + reach]


def _add(ids: list[str], nodes: Iterable[Node]) -> None:
    ids.extend(dict.fromkeys(node.id for node in nodes if node.id not in ids))
