"""Notes that a sentence model finds nearest to each other, in vaults that have its vectors.

Only existing vectors are read (from `mdmem rebuild vectors` or recall by meaning); gardening loads no model.
"""

from __future__ import annotations

from collections import defaultdict
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
_OF_TWO = 2  # ranks: one may be among the nearest of the other, and the other not of it
_MOST = 20_000  # notes; all pairs of more would take minutes


def nearest(vault: Vault) -> tuple[MeantPair, ...]:
    """Each note with those nearest to it in meaning; none if recall by meaning is off or lacks vectors, or if
    there are more than 20,000 notes.
    """
    model = sentence.chosen(vault.config.semantic.model)
    if model is None or vault.index.count() > _MOST:
        return ()
    try:
        known = Vectors(vault.root, model.name).load()
        rows = {digest: row for row, digest in enumerate(known.digests)}
        paths = {path: rows[digest] for path, digest in vault.index.digests().items() if digest in rows}
        matrix = known.wholes()[list(paths.values())]
    except (ImportError, MdmemError):  # recall reports it
        return ()
    return tuple(pairs(list(paths), matrix))


def pairs(paths: Sequence[str], matrix: NDArray[np.float32]) -> list[MeantPair]:
    """Each note with the NEAREST notes to it; each pair once, in the order of the paths.

    `matrix` has a row of length 1 for each of `paths`.
    """
    import numpy as np

    if len(paths) < 2:
        return []
    count = min(NEAREST, len(paths) - 1)
    ranks: defaultdict[tuple[int, int], list[int]] = defaultdict(list)  # how many rows are nearer, for either
    for start in range(0, len(matrix), _AT_ONCE):
        cosines = matrix[start : start + _AT_ONCE] @ matrix.T
        for row, near in enumerate(cosines, start):
            near[row] = -1  # a note is not near itself
            least = np.partition(near, -count)[-count]
            for other in map(int, np.flatnonzero((near >= least) & (near > 0))):  # all ties at the limit
                ranks[min(row, other), max(row, other)].append(int((near > near[other]).sum()))
    return [
        MeantPair(paths[one], paths[two], float(matrix[one] @ matrix[two]), max([*own, count][:_OF_TWO]))
        for (one, two), own in sorted(ranks.items())
    ]
