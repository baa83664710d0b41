"""The vectors of a vault's memories in a team's index, if a model is switched on and the server has pgvector.

They are copies of the vault's own vectors, one a passage, which `mdmem rebuild vectors` makes. The digests of
texts tell which there should be, so that a publication after it adds them even without a new commit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import MdmemError
from mdmem.recall.models import sentence
from mdmem.recall.models.vectors import Vectors
from mdmem.team.form import AT_ONCE, PublishedReader
from mdmem.team.schema import VECTORS, VaultPartitions
from mdmem.team.server import Server

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

_KNOWN = "SELECT path, digest, scope FROM mdmem.vectors WHERE vault = %s AND passage = 0"
_DELETE = "DELETE FROM mdmem.vectors WHERE vault = %s AND path = ANY(%s)"
_COLUMNS = ("vault", "path", "passage", "scope", "digest", "vector")


class _Model(NamedTuple):
    """A model: its name, the same for the whole team, and the name its vectors are kept under in a vault.

    Both are "" for none.
    """

    name: str = ""
    kept_as: str = ""


def _model_of(vault: Vault) -> _Model:
    """The model whose vectors a vault has."""
    local = sentence.chosen(vault.config.semantic.model)
    if local:
        return _Model(local.name, local.name)
    from mdmem.recall.models.endpoint import Endpoint

    try:
        endpoint = Endpoint() if sentence.is_on(vault.config.semantic.model) else None
    except MdmemError:
        endpoint = None
    return _Model(endpoint.name, endpoint.kept_as) if endpoint else _Model()


class Meanings:
    """The vectors of one vault, updated within a transaction of the caller.

    A clone without vectors leaves those that others published, as long as they are of the current texts.
    """

    def __init__(
        self,
        server: Server,
        vault: Vault,
        reader: PublishedReader,
        partitions: VaultPartitions,
        before: tuple[str, int],
    ) -> None:
        """`before` is the model of the published vectors, and their dimension."""
        self._server = server
        self._id = vault.config.id
        model = _model_of(vault) if partitions.has_vectors else _Model()
        self.model = model.name
        self._vectors = Vectors(vault.root, model.kept_as)
        self._partitions = partitions
        known = self._vectors.digests() if self.model else set()
        texts = reader.digests if self.model else {}
        self._texts = {path: (digest, reader.scope_of(path)) for path, digest in texts.items()}
        self._here = {path: told for path, told in self._texts.items() if told[0] in known}
        self.numbers = self._own_numbers() or (before[1] if before[0] == self.model else 0)
        self._is_same = before == (self.model, self.numbers)

    def _own_numbers(self) -> int:
        """The dimension of the vectors here, 0 if there are none."""
        first = next(iter(self._here.values()), None)
        return self._vectors.of([first[0]]).rows.shape[1] if first else 0

    def fill(self) -> int:
        """Write all vectors into the new partition; returns how many of them are from here."""
        self._partitions.numbers = self.numbers
        others = sorted(self._valid().keys() - self._here.keys()) if self._is_same else []
        if others:
            self._partitions.carry_over(VECTORS, _COLUMNS, others)
        self._copy(sorted(self._here), is_new=True)
        return len(self._here)

    def differences(self) -> tuple[list[str], list[str]]:
        """(paths to write, paths to remove) to turn the published vectors into those that there should be."""
        valid = self._valid()
        gone = self._known().keys() - valid.keys()
        return sorted(self._here.keys() - valid.keys()), sorted(gone)

    def _known(self) -> dict[str, tuple[bytes, str]]:
        if not self._partitions.has_vectors:
            return {}
        return {path: (digest, scope) for path, digest, scope in self._server.run(_KNOWN, [self._id])}

    def _valid(self) -> dict[str, tuple[bytes, str]]:
        """The published vectors that are of current texts."""
        return {path: told for path, told in self._known().items() if self._texts.get(path) == told}

    def update(self, new: Sequence[str], gone: Sequence[str]) -> None:
        """Write and remove the vectors that `differences` named."""
        if gone:
            self._server.run(_DELETE, [self._id, list(gone)])
        self._copy(new, is_new=False)

    def _copy(self, paths: Sequence[str], is_new: bool) -> None:
        if paths:
            self._server.copy(self._partitions.copying(VECTORS, _COLUMNS, is_new), self._rows(paths))

    def _rows(self, paths: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for at in range(0, len(paths), AT_ONCE):
            some = paths[at : at + AT_ONCE]
            found = self._vectors.of([self._here[path][0] for path in some])
            vectors = dict(zip(found.digests, found.each(), strict=True))
            for path in some:
                digest, scope = self._here[path]
                for passage, vector in enumerate(vectors[digest].tolist()):
                    yield self._id, path, passage, scope, digest, str(vector)
