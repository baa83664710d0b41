"""Notes that a sentence model finds nearest to each other, in vaults that have its vectors.

Only existing vectors are read (from `mdmem rebuild vectors` or recall by meaning); gardening loads no model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    notes = of(vault)
    return tuple(notes.nearest(NEAREST)) if notes else ()


def of(vault: Vault) -> NotesByMeaning | None:
    """The notes of a vault with a vector of its chosen local model; None without a model or readable vectors."""
    model = sentence.chosen(vault.config.semantic.model)
    if model is None:
        return None
    try:
        known = Vectors(vault.root, model.name).load()
        matrix = known.wholes()
    except (ImportError, MdmemError):  # recall reports it
        return None
    rows = {digest: row for row, digest in enumerate(known.digests)}
    paths = {path: rows[digest] for path, digest in vault.index.digests().items() if digest in rows}
    return NotesByMeaning(list(paths), matrix[list(paths.values())])


class NotesByMeaning:
    """How near notes are to each other in meaning."""

    def __init__(self, paths: Sequence[str], matrix: NDArray[np.float32]) -> None:
        """`matrix` has a row of length 1 for each of `paths`."""
        self._paths = paths
        self._matrix = matrix

    def nearest(self, count: int) -> list[MeantPair]:
        """Each note with the `count` notes nearest to it; each pair once, in the order of the paths.

        There are no pairs for more than 20,000 notes.
        """
        if not 1 < len(self._paths) <= _MOST:
            return []
        ranks = self._ranks(min(count, len(self._paths) - 1))
        pairs = sorted({(min(pair), max(pair)) for pair in ranks})
        return [self._pair(first, second, ranks, count) for first, second in pairs]

    def _pair(self, first: int, second: int, ranks: Mapping[tuple[int, int], int], count: int) -> MeantPair:
        rank = max(ranks.get((first, second), count), ranks.get((second, first), count))
        near = float(self._matrix[first] @ self._matrix[second])
        return MeantPair(self._paths[first], self._paths[second], near, rank)

    def _ranks(self, count: int) -> dict[tuple[int, int], int]:
        """(row, one of the rows nearest to it) -> how many rows are nearer; ties at the limit are all included."""
        import numpy as np

        ranks: dict[tuple[int, int], int] = {}
        for start in range(0, len(self._matrix), _AT_ONCE):
            cosines = self._matrix[start : start + _AT_ONCE] @ self._matrix.T
            own = np.arange(len(cosines))
            cosines[own, own + start] = -1  # a note is not near itself
            least = np.partition(cosines, -count, axis=1)[:, -count]
            for row, (near, floor) in enumerate(zip(cosines, least, strict=True), start):
                others = np.flatnonzero((near >= floor) & (near > 0))
                ranks |= {(row, int(other)): int((near[others] > near[other]).sum()) for other in others}
        return ranks
