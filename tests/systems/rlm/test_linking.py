"""Automatic links are those of the schema, and a change says exactly whose links may differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from mdmem.systems.rlm import linking
from mdmem.systems.rlm.linking import Graph, Node
from mdmem.systems.rlm.schema import ChunkLinks


def chunks(
    name: str, created: str = "2026-02-10T10:00:00Z", ids: Sequence[str] = (), **fields: object
) -> list[Node]:
    """The chunks of a memory, one unless `ids` are given."""
    when = datetime.fromisoformat(created).timestamp()
    base = {"memory": name, "path": f"{name}.md", "name": name, "type": "note", "created": created}
    said = {"content": "", "tokens": 0}
    more: dict[str, object] = {"conversation": "", "tags": [], "manual": [], **said, **base, **fields}
    return [
        Node(when=when, part=part, id=id, source="interaction", confidence=0.7, **more)  # type: ignore[arg-type]
        for part, id in enumerate(ids or [f"chunk-{name}"])
    ]


def graph(memories: Iterable[list[Node]]) -> Graph:
    return Graph(node for nodes in memories for node in nodes)


def links(memories: list[list[Node]], at: int, part: int = 0) -> ChunkLinks:
    return graph(memories).links(memories[at][part])


def test_a_conversation_is_linked_both_ways() -> None:
    memories = [chunks(name, conversation="c1") for name in "abc"] + [chunks("d", conversation="c2"), chunks("e")]
    assert [links(memories, at).context_of for at in range(5)] == [
        ["chunk-b", "chunk-c"],
        ["chunk-a", "chunk-c"],
        ["chunk-a", "chunk-b"],
        [],
        [],
    ]


def test_chunks_follow_those_of_the_last_five_minutes_the_nearest_first() -> None:
    times = ["09:54:59", "09:55:00", "09:58:00.5", "10:00:00", "10:00:01"]
    memories = [chunks(f"m{at}", f"2026-02-10T{time}Z", conversation="c") for at, time in enumerate(times)]
    assert links(memories, 3).follows == ["chunk-m2", "chunk-m1"]
    assert links(memories, 0).follows == []


def test_a_tag_relates_unless_the_conversation_does() -> None:
    memories = [
        chunks("a", conversation="c", tags=("x", "y")),
        chunks("b", conversation="c", tags=("x",)),
        chunks("d", tags=("y", "x")),
        chunks("e", conversation="k", tags=("y",)),
        chunks("f", tags=("X",)),
    ]
    assert links(memories, 0).related_to == ["chunk-d", "chunk-e"]
    assert links(memories, 1).related_to == ["chunk-d"]
    assert links(memories, 2).related_to == ["chunk-a", "chunk-b", "chunk-e"]
    assert links(memories, 4).related_to == []


def test_the_parts_of_a_memory_follow_one_another() -> None:
    memories = [chunks("a", ids=("p0", "p1", "p2")), chunks("b")]
    assert [links(memories, 0, part).follows for part in range(3)] == [[], ["p0"], ["p1", "p0"]]
    assert links(memories, 0, 1).context_of == []


def test_properties_hold_links_to_first_chunks() -> None:
    said = (
        ("supports", "b", "b"),
        ("contradicts", "gone", "gone"),
        ("supports", "x", "chunk-2026-02-09-p4q5r6s7"),
    )
    memories = [chunks("a", manual=said), chunks("b", ids=("p0", "p1"))]
    assert links(memories, 0) == ChunkLinks(supports=["p0", "chunk-2026-02-09-p4q5r6s7"])


def test_large_groups_are_linked_with_their_neighbours_both_ways() -> None:
    memories = [chunks(f"m{at:03}", tags=("x",)) for at in range(100)]
    all_links = {one.id: links(memories, at).related_to for at, (one,) in enumerate(memories)}
    assert {len(ids) for ids in all_links.values()} == {5, 6, 7, 8, 9, 10}
    assert all(id in all_links[other] for id, others in all_links.items() for other in others)


times = st.integers(0, 8).map(lambda minute: f"2026-02-10T10:{minute:02}:00Z")
tags = st.lists(st.sampled_from("xyz"), unique=True, max_size=2).map(tuple)
made = st.builds(
    chunks, st.text("ab", min_size=1, max_size=4), times, conversation=st.sampled_from(["", "c"]), tags=tags
)
vaults = st.lists(made, max_size=14, unique_by=lambda nodes: nodes[0].memory)


@given(vaults, vaults)
def test_whose_links_differ_after_a_change_is_told(before: list[list[Node]], after: list[list[Node]]) -> None:
    """With groups that are linked as a whole only up to three, so that all cases come up."""
    small = dict.fromkeys(("conversation", "memory", "tag"), (3, 1))
    old_limits, linking._LIMITS = linking._LIMITS, small
    try:
        old, new = graph(before), graph(after)
        gone, came = (
            [node for nodes in side if nodes not in other for node in nodes]
            for side, other in ((before, after), (after, before))
        )
        told = new.touched(gone, came)
        then = {node.id: old.links(node) for nodes in before for node in nodes}
        now = {node.id: new.links(node) for nodes in after for node in nodes}
        assert {id for id in now if then.get(id, ChunkLinks()) != now[id]} <= told
    finally:
        linking._LIMITS = old_limits
