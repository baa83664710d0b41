"""A vault as LangGraph's store, beside its InMemoryStore: the same batches, the same results."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypedDict

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

base = pytest.importorskip("langgraph.store.base", reason="langgraph is not installed: make adapters")
from langgraph.store.memory import InMemoryStore  # noqa: E402

from mdmem import MdmemError  # noqa: E402
from mdmem.systems.adapters.langgraph import VaultStore  # noqa: E402

pytestmark = [pytest.mark.adapters, pytest.mark.filterwarnings("ignore")]

_LABELS = st.sampled_from(["users", "Ada", "ada", "docs", "a b", "é", "e\u0301", "-", "con", "a/b", "x" * 260])
NAMESPACES = st.lists(_LABELS, min_size=1, max_size=3).map(tuple)
PREFIXES = st.lists(_LABELS, max_size=2).map(tuple)
PATHS = st.lists(st.one_of(st.just("*"), _LABELS), max_size=3).map(tuple)
KEYS = st.sampled_from(["a", "A", "b.md", "", ".", "pre fs", "0c7a6f3e-2b11", "../up", "nul", "k" * 300])

_WORDS = st.sampled_from(
    ["dark", "light", "Ada lives in Turin now.", "one two three\n", "", "12", "# a b c\n\n- d"]
)
_LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-2, 20), st.sampled_from([0.5, 1.0, -2.25]), _WORDS)
JSON = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)
FIELDS = st.sampled_from(["theme", "n", "content", "title", "tags", "a.b", "text_of", "id"])
VALUES = st.dictionaries(FIELDS, JSON, max_size=4)

_ORDERED = st.dictionaries(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), st.integers(-1, 15), min_size=1)
_EQUAL = st.dictionaries(st.sampled_from(["$eq", "$ne"]), _LEAVES, min_size=1)
FILTERS = st.none() | st.dictionaries(FIELDS, st.one_of(_ORDERED, _EQUAL, JSON), max_size=2)
LIMITS = st.integers(0, 12)
OFFSETS = st.integers(0, 3)


def _conditions(prefix: tuple[str, ...], suffix: tuple[str, ...]) -> tuple[Any, ...]:
    made = [base.MatchCondition("prefix", prefix)] if prefix else []
    return (*made, *([base.MatchCondition("suffix", suffix)] if suffix else []))


def _op(kind: type, *fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(*fields).map(lambda given: kind(*given))


QUERIES = st.sampled_from([None, "where does Ada live"])
PUTS = _op(base.PutOp, NAMESPACES, KEYS, st.one_of(VALUES, VALUES, st.none()))
OPS = st.one_of(
    PUTS,
    PUTS,
    _op(base.GetOp, NAMESPACES, KEYS),
    _op(base.SearchOp, PREFIXES, FILTERS, LIMITS, OFFSETS, QUERIES),
    _op(
        base.ListNamespacesOp, st.builds(_conditions, PATHS, PATHS), st.none() | st.integers(1, 3), LIMITS, OFFSETS
    ),
)
_runs, _tried = itertools.count(), itertools.count()


def expected(oracle: Any, op: Any) -> Any:
    """What their store gives; it is to know no namespace that holds nothing."""
    for namespace in [namespace for namespace, items in oracle._data.items() if not items]:
        del oracle._data[namespace]
    return oracle.batch([op])[0]


def plain(item: Any) -> Any:
    return item and (item.namespace, item.key, json.dumps(item.value, sort_keys=True))


def assert_same(found: Any, oracle: Any, op: Any) -> None:
    if isinstance(op, base.ListNamespacesOp):
        assert found == expected(oracle, op), op
    elif isinstance(op, base.GetOp):
        assert plain(found) == plain(expected(oracle, op)), op
    elif isinstance(op, base.SearchOp):
        assert_found(found, oracle, op)
    else:
        assert found is None


def assert_found(found: Any, oracle: Any, op: Any) -> None:
    """The order is another on purpose: so many of those that there are, none of them twice."""
    try:
        every = {plain(item) for item in expected(oracle, op._replace(limit=10**6, offset=0))}
    except (TypeError, ValueError):  # $gt and the like of what is not a number
        return
    ours = [plain(item) for item in found]
    assert len(ours) == len(set(ours)) == min(op.limit, max(0, len(every) - op.offset)), op
    assert set(ours) <= every, op


def run_both(root: Path, batches: list[list[Any]], do: Callable[[VaultStore, list[Any]], list[Any]]) -> None:
    oracle = InMemoryStore()
    with VaultStore(str(root), folder=f"allmemories/run-{next(_runs)}", session="conv-1") as store:
        for batch in batches:
            results = do(store, batch)
            for op, found in zip(batch, results, strict=True):
                next(_tried)
                assert_same(found, oracle, op)
            oracle.batch([op for op in batch if isinstance(op, base.PutOp)])
        everything = base.SearchOp((), None, 10**6)
        assert_same(store.batch([everything])[0], oracle, everything)


def in_turn(store: VaultStore, batch: list[Any]) -> list[Any]:
    return store.batch(batch)


def awaited(store: VaultStore, batch: list[Any]) -> list[Any]:
    return asyncio.run(store.abatch(batch))


@pytest.mark.parametrize(("do", "runs"), [(in_turn, 10), (awaited, 4)])
def test_every_result_is_that_of_their_store(
    do: Callable[[VaultStore, list[Any]], list[Any]], runs: int, root: Path
) -> None:
    for name in ("one", "two"):  # so that the items are not all the memories there are
        (root / f"allmemories/{name}.md").write_text(f"Fact {name}.\n")

    options: Any = {"deadline": None, "database": None, "phases": [Phase.generate]}  # each run makes commits

    @settings(max_examples=runs, suppress_health_check=list(HealthCheck), **options)
    @given(st.lists(st.lists(OPS, min_size=1, max_size=8), min_size=2, max_size=8))
    def differ(batches: list[list[Any]]) -> None:
        run_both(root, batches, do)

    differ()


@pytest.fixture
def store(root: Path) -> Iterator[VaultStore]:
    with VaultStore(str(root), session="conv-1") as opened:
        yield opened


def test_what_differs_on_purpose(store: VaultStore) -> None:
    store.put(("docs",), "old", {"n": (1, 2), 3: "x"})
    store.put(("docs",), "text", {"n": "many"})
    assert store.get(("docs",), "old").value == {"n": [1, 2], "3": "x"}, "a value is as JSON has it"
    assert store.search(("docs",), filter={"none": {"$gte": 3}}) == [], "theirs raises TypeError"
    assert store.get(("asked",), "a") is None
    assert store.list_namespaces() == [("docs",)], "theirs lists a namespace that was only asked for"
    created = store.get(("docs",), "text").created_at
    store.put(("docs",), "text", {"n": "more"})
    assert store.get(("docs",), "text").created_at == created, "theirs begins anew with each put"
    with pytest.raises(NotImplementedError, match="TTL"):
        store.put(("docs",), "a", {"n": 1}, ttl=5)
    with pytest.raises(NotImplementedError, match="without ttl"):
        store.batch([base.PutOp(("docs",), "a", {"n": 1}, ttl=5.0)])
    with pytest.raises(base.InvalidNamespaceError):
        store.batch([base.GetOp(("a.b",), "a")])
    with pytest.raises(MdmemError, match="secret"):
        store.put(("docs",), "a", {"key": "password: hunter2-Xk9vQ7pLw2"})
    for namespace, key in ((("docs",), "ghp_" + "a1B2c3D4" * 5), (("ghp_" + "a1B2c3D4" * 5,), "a")):
        with pytest.raises(MdmemError, match="a name seems to hold a secret"):
            store.put(namespace, key, {"n": 1})
    store.close()
    store.close()
    with pytest.raises(RuntimeError):
        store.get(("docs",), "text")


def test_a_query_is_recall_and_the_rest_follows(store: VaultStore) -> None:
    store.put(("mem",), "1", {"kind": "Memory", "content": {"content": "Ada plays the cello on Sundays."}})
    store.put(("mem",), "2", {"kind": "Memory", "content": {"content": "The lease of the flat ends in May."}})
    store.put(("mem",), "3", {"theme": "dark"})
    for query in ("when does the lease end", 'type:x "lease" -flat lease'):
        first, *others = store.search(("mem",), query=query)
        assert (first.key, bool(first.score)) == ("2", True)
        assert {item.key for item in others} == {"1", "3"}
    nothing = store.search(("mem",), query="zebra")
    assert [item.score for item in nothing] == [None, None, None]


class State(TypedDict):
    said: str
    answer: str


def _graph(*, with_async: bool = False) -> Any:
    """A graph that notes what it is told, and answers with what it was told before."""
    from langgraph.graph import StateGraph

    def answer(state: State, *, store: Any) -> dict[str, str]:
        known = store.search(("told",), query=state["said"])
        store.put(("told",), state["said"][:8], {"content": state["said"]})
        return {"answer": " ".join(item.value["content"] for item in known)}

    async def later(state: State, *, store: Any) -> dict[str, str]:
        known = await store.asearch(("told",))
        return {"answer": f"{state['answer']} ({len(known)})"}

    answer.__annotations__["store"] = later.__annotations__["store"] = base.BaseStore
    builder = StateGraph(State)
    builder.add_node("answer", answer)
    builder.add_edge("__start__", "answer")
    if with_async:
        builder.add_node("later", later)
        builder.add_edge("answer", "later")
    return builder


def test_a_graph_remembers_over_two_invocations(root: Path, mdmem: Any) -> None:
    for thread, said in (("t-1", "Ada lives in Turin now."), ("t-2", "Where does Ada live?")):
        with VaultStore(str(root)) as store:
            graph = _graph().compile(store=store)
            result = graph.invoke({"said": said}, {"configurable": {"thread_id": thread}})
    assert result["answer"] == "Ada lives in Turin now."
    (entry,) = json.loads(mdmem("log", "--session", "t-1", "--json", "--vault", root).out)
    assert entry["actor"] == "langgraph"


def test_the_same_with_asyncio(root: Path) -> None:
    async def talk() -> str:
        answers = []
        for said in ("Ada lives in Turin now.", "Where does Ada live?"):
            with VaultStore(str(root)) as store:
                result = await _graph(with_async=True).compile(store=store).ainvoke({"said": said})
                answers.append(result["answer"])
        return answers[-1]

    assert asyncio.run(talk()) == "Ada lives in Turin now. (2)"
