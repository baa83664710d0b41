"""Which notes a sentence model finds nearest to each other, where a vault has its vectors.

Only vectors that are there are read (`mdmem embed`, recall by meaning): no model is loaded for gardening.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.garden.gardeners.proposal import MeantPair
from mdmem.language.alignment.neighbours import NearPair, Neighbours
from mdmem.models.vectors import Vectors
from mdmem.vault.vault import Vault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST = 0.66  # cosine
_AT_ONCE = 256  # rows compared at a time
_NEAREST = 4  # of each note that are looked at
_MOST = 20_000  # notes; all pairs of more would take minutes


def mutual(vault: Vault) -> tuple[MeantPair, ...]:
    """Notes that are each other's nearest, and near; none where recall by meaning is off or has no vectors yet."""
    if vault.config.semantic.model != "minilm":
        return ()
    from mdmem.models import minilm

    try:
        known, matrix = Vectors(vault.root, minilm.NAME).load()
    except (ImportError, MdmemError):  # recall tells of it
        return ()
    rows = {digest: row for row, digest in enumerate(known)}
    paths = {path: rows[digest] for path, digest in vault.index.digests().items() if digest in rows}
    return nearest(list(paths), matrix[list(paths.values())])


def nearest(paths: Sequence[str], matrix: NDArray[np.float32]) -> tuple[MeantPair, ...]:
    """The notes at `paths`, of which each has a row of length 1, that are each other's nearest, and near."""
    if not 1 < len(paths) <= _MOST:
        return ()
    near = list(_near(matrix))
    neighbours = Neighbours(near)
    return tuple(
        MeantPair(paths[pair.first], paths[pair.second], pair.near)
        for pair in near
        if pair.near >= _LEAST and neighbours.are_mutual(pair.first, pair.second)
    )


def _near(matrix: NDArray[np.float32]) -> list[NearPair]:
    """The nearest few of each row, each pair once."""
    import numpy as np

    found: dict[tuple[int, int], float] = {}
    for start in range(0, len(matrix), _AT_ONCE):
        likeness = matrix[start : start + _AT_ONCE] @ matrix.T
        best = np.argpartition(-likeness, min(_NEAREST, len(matrix) - 1), axis=1)[:, : _NEAREST + 1]
        for row, others in enumerate(best):
            for other in map(int, others):
                if other != start + row and likeness[row, other] > 0:
                    found[min(start + row, other), max(start + row, other)] = float(likeness[row, other])
    return [NearPair(*pair, near) for pair, near in sorted(found.items())]
