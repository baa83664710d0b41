"""Notes that a sentence model finds nearest to each other, in vaults that have its vectors.

Only existing vectors are read (from `mdmem rebuild vectors` or recall by meaning); gardening loads no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.garden.gardeners.proposal import MeantPair
from mdmem.recall.models import sentence
from mdmem.recall.models.vectors import Vectors
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_AT_ONCE = 256  # rows compared at a time
NEAREST = 6  # notes nearest to each in meaning that are compared with it
_MOST = 20_000  # notes; all pairs of more would take minutes


def nearest(vault: Vault) -> tuple[MeantPair, ...]:
    """Each note with those nearest to it in meaning; none if recall by meaning is off or lacks vectors."""
    model = sentence.chosen(vault.config.semantic.model)
    if model is None:
        return ()
    try:
        known = Vectors(vault.root, model.name).load()
        matrix = known.wholes()
    except (ImportError, MdmemError):  # recall reports it
        return ()
    rows = {digest: row for row, digest in enumerate(known.digests)}
    paths = {path: rows[digest] for path, digest in vault.index.digests().items() if digest in rows}
    return tuple(pairs(list(paths), matrix[list(paths.values())]))


def pairs(paths: Sequence[str], matrix: NDArray[np.float32], count: int = NEAREST) -> list[MeantPair]:
    """Each note with the `count` notes nearest to it; each pair once, in the order of the paths.

    `matrix` has a row of length 1 for each of `paths`. There are no pairs for more than 20,000 notes.
    """
    if not 1 < len(paths) <= _MOST:
        return []
    ranks = _ranks(matrix, min(count, len(paths) - 1))
    found = []
    for first, second in sorted({(min(pair), max(pair)) for pair in ranks}):
        rank = max(ranks.get((first, second), count), ranks.get((second, first), count))
        found.append(MeantPair(paths[first], paths[second], float(matrix[first] @ matrix[second]), rank))
    return found


def _ranks(matrix: NDArray[np.float32], count: int) -> dict[tuple[int, int], int]:
    """(row, one of the rows nearest to it) -> how many rows are nearer; ties at the limit are all included."""
    import numpy as np

    ranks: dict[tuple[int, int], int] = {}
    for start in range(0, len(matrix), _AT_ONCE):
        cosines = matrix[start : start + _AT_ONCE] @ matrix.T
        own = np.arange(len(cosines))
        cosines[own, own + start] = -1  # a note is not near itself
        least = np.partition(cosines, -count, axis=1)[:, -count]
        for row, (near, floor) in enumerate(zip(cosines, least, strict=True), start):
            others = np.flatnonzero((near >= floor) & (near > 0))
            ranks |= {(row, int(other)): int((near[others] > near[other]).sum()) for other in others}
    return ranks
