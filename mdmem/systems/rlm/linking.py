"""The computed links between chunks: same conversation, created within five minutes, a tag in common.

They are never stored in notes. As the schema says, all chunks of a group are linked with each other, but only
while the group is small: a conversation of up to 200 chunks, a tag of up to 60. Otherwise n chunks would have n^2
links; in a larger group a chunk is linked with its neighbours in time, as many on either side, so that links still
go both ways. `index/tag_index.json` and `metadata_index.json` list every group in full.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from mdmem.systems.rlm.schema import ChunkLinks, is_id

WINDOW = 300.0  # seconds within which chunks of a conversation follow one another
_LIMITS = {"conversation": (200, 50), "memory": (200, 50), "tag": (60, 5)}  # all up to n, else m on either side

Key = tuple[str, str]  # of a group: what its chunks share, and the name of that
Node = tuple[float, str, int, str]  # time, memory, part, chunk id; sorts in order of creation


class ChunkHead(NamedTuple):
    """What the chunks of a memory have in common. `ids` are the ids of its parts, in order.

    `manual` has [kind, folded target, target as written] for each link in the note's properties. All values are
    those of JSON, so that a head reads back from it as it was.
    """

    memory: str
    path: str
    name: str
    ids: list[str]
    type: str
    created: str
    conversation: str
    source: str
    confidence: float
    tags: list[str]
    manual: list[list[str]]


def nodes(head: ChunkHead) -> list[Node]:
    """The chunks of a memory as nodes."""
    when = datetime.fromisoformat(head.created).timestamp()
    return [(when, head.memory, part, id) for part, id in enumerate(head.ids)]


def _sequence(head: ChunkHead) -> Key | None:
    """The group in which its chunks follow others: the conversation, else the memory itself, else None."""
    if head.conversation:
        return "conversation", head.conversation
    return ("memory", head.memory) if len(head.ids) > 1 else None


def implied(kind: str, one: tuple[ChunkHead, int], other: tuple[ChunkHead, int]) -> bool:
    """Whether a link between two parts, given as (memory, part), is computed and need not be written."""
    (head, part), (target, number) = one, other
    same = bool(head.conversation) and head.conversation == target.conversation
    if kind == "context_of":
        return same
    if kind == "related_to":
        return not same and bool({*head.tags} & {*target.tags})
    if kind != "follows" or _sequence(head) is None or _sequence(head) != _sequence(target):
        return False
    node, before = nodes(head)[part], nodes(target)[number]
    return node[0] - WINDOW <= before[0] and before < node


def entry(head: ChunkHead) -> dict[str, Any]:
    """What the index of chunks says of each chunk of a memory."""
    about = {"type": head.type, "conversation_id": head.conversation, "created": head.created}
    return {**about, "confidence": head.confidence}


def by_tag(chunks: Iterable[tuple[str, ChunkHead]]) -> dict[str, list[str]]:
    """tag -> the ids of the chunks that have it, in the order of the (id, memory) given."""
    found: dict[str, list[str]] = {}
    for id, head in chunks:
        for tag in head.tags:
            found.setdefault(tag, []).append(id)
    return found


def groups(head: ChunkHead) -> Iterator[Key]:
    """The groups that the chunks of a memory belong to."""
    if sequence := _sequence(head):
        yield sequence
    for tag in head.tags:
        yield "tag", tag


class Graph:
    """All chunks by group, to compute their links."""

    def __init__(self, heads: Iterable[ChunkHead]) -> None:
        self._groups: dict[Key, list[Node]] = {}
        self._first: dict[str, str] = {}  # name of a memory -> its first chunk
        self._conversation: dict[str, str] = {}  # id of a chunk -> its conversation
        for head in heads:
            for key in self._noted(head):
                self._groups.setdefault(key, []).extend(nodes(head))
        for group in self._groups.values():
            group.sort()

    def _noted(self, head: ChunkHead) -> Iterator[Key]:
        self._first.setdefault(head.name, head.ids[0])
        self._conversation.update(dict.fromkeys(head.ids, head.conversation))
        return groups(head)

    def add(self, head: ChunkHead) -> None:
        """Add a memory."""
        for key in self._noted(head):
            for node in nodes(head):
                insort(self._groups.setdefault(key, []), node)

    def remove(self, head: ChunkHead) -> None:
        """Remove a memory, given as it was when it was added."""
        if self._first.get(head.name) == head.ids[0]:
            del self._first[head.name]
        for key in groups(head):
            for node in nodes(head):
                self._groups[key].remove(node)

    def links(self, head: ChunkHead, part: int) -> ChunkLinks:
        """The links of a chunk, in order of creation; for those it follows, the nearest first."""
        node = nodes(head)[part]
        found = self.said(head)
        if sequence := _sequence(head):
            near = _near(self._groups[sequence], node, sequence)
            if head.conversation:
                _add(found.context_of, (other[3] for other in near))
            before = [other for other in near if node[0] - WINDOW <= other[0] and other < node]
            _add(found.follows, (other[3] for other in reversed(before)))
        related = {other for tag in head.tags for other in self._related(head, node, tag)}
        _add(found.related_to, (other[3] for other in sorted(related)))
        return found

    def _related(self, head: ChunkHead, node: Node, tag: str) -> Iterator[Node]:
        for other in _near(self._groups["tag", tag], node, ("tag", tag)):
            if not head.conversation or self._conversation[other[3]] != head.conversation:
                yield other

    def said(self, head: ChunkHead) -> ChunkLinks:
        """The links in the note's properties. Of links without a target note only those to a chunk id are kept."""
        found = ChunkLinks()
        for kind, name, written in head.manual:
            if target := self.target(name, written):
                _add(getattr(found, kind), [target])
        return found

    def target(self, name: str, written: str) -> str:
        """The id of the chunk that a link refers to, by its folded name or as written; "" if none."""
        return self._first.get(name) or (written if is_id(written) and written.startswith("chunk-") else "")

    def touched(self, before: Iterable[ChunkHead], after: Iterable[ChunkHead]) -> set[str]:
        """The ids of chunks whose links may differ after memories changed from `before` to `after`."""
        moved: dict[Key, tuple[list[Node], list[Node]]] = {}
        for side, heads in enumerate((before, after)):
            for head in heads:
                for key in groups(head):
                    moved.setdefault(key, ([], []))[side].extend(nodes(head))
        found: set[str] = set()
        for key, (gone, came) in moved.items():
            now = self._groups.get(key, [])
            then = sorted({*now}.difference(came).union(gone))
            for group, some in ((then, gone), (now, came)):
                found.update(node[3] for node in _around(group, some, key))
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


def _add(ids: list[str], more: Iterable[str]) -> None:
    ids.extend(dict.fromkeys(id for id in more if id not in ids))
