"""A vault as LangGraph's store (`BaseStore`, package `langgraph`), for graphs that remember.

    store = VaultStore("my-vault")
    graph = builder.compile(store=store)

Each item is a note that a person can read and edit (see `mdmem.systems.adapters.itemnotes`), in the folders of its
namespace. `mdmem.systems.adapters.storeditems` says what each operation does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from langgraph.config import get_config
from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from mdmem.systems.adapters import storeditems
from mdmem.systems.adapters.access import VaultAccess
from mdmem.systems.adapters.storeditems import StoredItems

_MATCHES = {"prefix": storeditems.begins, "suffix": storeditems.ends}


class VaultStore(BaseStore):
    """A store over the vault at `vault`, or else at the one that the environment or the current folder names.

    Items are in `folder` of the vault, which has to be one of memories ("" is `langgraph` in the folder of all
    memories). The puts of one batch are one commit by `actor` in `session`; "" means the thread of the running
    graph, or else the session that the actor has open, or else a new one. The graph sees memories up to
    `max_sensitivity`, "" for what agents may see. It may be used from several threads and with asyncio; operations
    run one after the other.

    It differs from LangGraph's own stores: a value has to be JSON, and is returned as JSON has it; a namespace
    exists as long as it holds items; a search gives what the `query` finds (ordered by `score`, which has no
    unit), then the other items, newest first; `index` is ignored, and every text can be found; a `ttl` raises
    NotImplementedError, since memories do not vanish: `mdmem garden` proposes what may go.

    Operations raise MdmemError: for a secret in a value, for a memory that may not be deleted or seen, for a name
    too long for a file, for an unknown filter. If a batch fails, nothing of it is written.
    """

    def __init__(
        self,
        vault: str | None = None,
        *,
        actor: str = "langgraph",
        session: str = "",
        folder: str = "",
        max_sensitivity: str = "",
    ) -> None:
        self._access = VaultAccess(vault, actor, session, max_sensitivity)
        self._folder = folder

    @property
    def told(self) -> Sequence[str]:
        """The vault's messages during the last batch, for a person."""
        return tuple(self._access.keeper.told)

    def __enter__(self) -> VaultStore:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the vault for good. It may be closed more than once."""
        self._access.end()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results of operations. Those that read see the state before those that write."""
        asked = _checked(ops)
        return self._access.in_thread(self._carry_out, asked, _thread_of_graph()).result()

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """`batch` for asyncio."""
        asked = _checked(ops)
        results = self._access.in_thread(self._carry_out, asked, _thread_of_graph())
        return await asyncio.wrap_future(results)

    def _carry_out(self, ops: Sequence[Op], session: str) -> list[Result]:
        with self._access.visit(session) as (vault, who):
            items = StoredItems(vault, self._folder, who)
            results = [_READERS[type(op)](items, op) for op in ops]
            if puts := {(op.namespace, op.key): op.value for op in ops if isinstance(op, PutOp)}:
                items.write(puts)
            return results


def _checked(ops: Iterable[Op]) -> Sequence[Op]:
    """The operations, if they can be done. Raises ValueError, InvalidNamespaceError, NotImplementedError."""
    asked = list(ops)
    for op in asked:
        if not isinstance(op, PutOp | GetOp | SearchOp | ListNamespacesOp):
            raise ValueError(f"Unknown operation type: {type(op)}")
        validate_op_namespace(op)
        if isinstance(op, PutOp) and op.ttl is not None:
            raise NotImplementedError("a vault keeps its memories: put without ttl, and delete what is to go")
    return asked


def _thread_of_graph() -> str:
    """The id of the thread of the running graph; "" if none is running."""
    try:
        return str(get_config().get("configurable", {}).get("thread_id") or "")
    except RuntimeError:  # called from outside of a graph
        return ""


def _get(items: StoredItems, op: GetOp) -> Item | None:
    found = items.get(op.namespace, op.key)
    if found is None:
        return None
    fields = found._asdict()
    del fields["score"]
    return Item(**fields)


def _search(items: StoredItems, op: SearchOp) -> list[SearchItem]:
    found = list(items.search(op.namespace_prefix, op.filter, op.query))[op.offset : op.offset + op.limit]
    return [SearchItem(**item._asdict()) for item in found]


def _namespaces(items: StoredItems, op: ListNamespacesOp) -> list[tuple[str, ...]]:
    wanted = op.match_conditions or ()
    matching = (
        namespace
        for namespace in items.namespaces()
        if all(_MATCHES[each.match_type](namespace, each.path) for each in wanted)
    )
    cut = sorted({namespace[: op.max_depth] for namespace in matching})
    return cut[op.offset : op.offset + op.limit]


_READERS: dict[type, Callable[[StoredItems, Any], Result]] = {
    GetOp: _get,
    SearchOp: _search,
    ListNamespacesOp: _namespaces,
    PutOp: lambda items, op: None,  # noqa: ARG005 - those that write follow those that read
}
