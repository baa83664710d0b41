"""Finds the vectors of a team's index that are nearest to a given one, through pgvector's own index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdmem.index.port import apart, key

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
"""


class TeamVectors:
    """The vectors that a role may read; `numbers` is their dimension, as the vaults state it."""

    def __init__(self, server: Server, numbers: int) -> None:
        self._server = server
        self._far = _FAR.format(numbers=int(numbers))

    def nearest(self, vector: Sequence[float], count: int) -> list[str]:
        """The keys of the `count` memories nearest to a vector, nearest first; the search is approximate."""
        self._server.run(_SETTINGS, [str(max(_LOOKED_AT, count))])
        rows = self._server.run(_NEAREST.format(far=self._far), [_written(vector), count])
        return [key(vault, path) for vault, path in rows]

    def cosines(self, vector: Sequence[float], keys: Sequence[str]) -> dict[str, float]:
        """key -> cosine, for those of the memories that have a vector."""
        pairs = [apart(each) for each in keys]
        places = [[vault for vault, _ in pairs], [path for _, path in pairs]]
        rows = self._server.run(_COSINES.format(far=self._far), [_written(vector), *places])
        return {key(vault, path): cosine for vault, path, cosine in rows}


def _written(vector: Sequence[float]) -> str:
    return f"[{','.join(f'{number:.6g}' for number in vector)}]"
