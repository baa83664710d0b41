"""Finds the vectors of a team's index that are nearest to a given one, through pgvector's own index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdmem.store.index.port import apart, key

if TYPE_CHECKING:
    from mdmem.team.server import Server

_LOOKED_AT = 200  # vectors that a search looks at; more make it likelier to find the nearest
_SETTINGS = (
    "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'strict_order', true)"
)
_FAR = "vector::halfvec({numbers}) <=> %s::halfvec({numbers})"  # 1 minus the cosine
_NEAREST = "SELECT vault, path FROM mdmem.vectors ORDER BY {far} LIMIT %s"
_COSINES = """
SELECT vault, path, 1 - ({far}) FROM mdmem.vectors
WHERE (vault, path) IN (SELECT * FROM unnest(%s::text[], %s::text[]))
ORDER BY vault, path, passage
"""


class TeamVectors:
    """The vectors that a role may read; `numbers` is their dimension, as the vaults state it."""

    def __init__(self, server: Server, numbers: int) -> None:
        self._server = server
        self._far = _FAR.format(numbers=int(numbers))

    def nearest(self, vector: Sequence[float], count: int) -> list[str]:
        """The keys of the memories of the `count` passages nearest to a vector, nearest first; approximate."""
        self._server.run(_SETTINGS, [str(max(_LOOKED_AT, count))])
        rows = self._server.run(_NEAREST.format(far=self._far), [_written(vector), count])
        return list(dict.fromkeys(key(vault, path) for vault, path in rows))

    def cosines(self, vector: Sequence[float], keys: Sequence[str]) -> dict[str, list[float]]:
        """key -> cosine of each passage, for those of the memories that have vectors."""
        pairs = [apart(each) for each in keys]
        places = [[vault for vault, _ in pairs], [path for _, path in pairs]]
        rows = self._server.run(_COSINES.format(far=self._far), [_written(vector), *places])
        found: dict[str, list[float]] = {}
        for vault, path, cosine in rows:
            found.setdefault(key(vault, path), []).append(cosine)
        return found


def _written(vector: Sequence[float]) -> str:
    return f"[{','.join(f'{number:.6g}' for number in vector)}]"
