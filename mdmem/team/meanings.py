"""The vectors of a vault's memories in a team's index, where a model is switched on and the server has pgvector.

They are those that the vault has: `mdmem embed` makes them. Which there should be is told by the digests of texts,
so that a publication after `mdmem embed` brings them in though no commit is new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError
from mdmem.models.vectors import Vectors
from mdmem.team.form import AT_ONCE, PublishedReader
from mdmem.team.partitions import VaultPartitions
from mdmem.team.schema import VECTORS
from mdmem.team.server import Server

if TYPE_CHECKING:
    from mdmem.vault.vault import Vault

_KNOWN = "SELECT path, digest, scope FROM mdmem.vectors WHERE vault = %s"
_DELETE = "DELETE FROM mdmem.vectors WHERE vault = %s AND path = ANY(%s)"
_COLUMNS = ("vault", "path", "scope", "digest", "vector")


def model_of(vault: Vault) -> str:
    """The name of the model whose vectors a vault has, "" for none."""
    if vault.config.semantic.model != "minilm":
        from mdmem.models.endpoint import Endpoint

        try:
            return Endpoint().name if vault.config.semantic.model else ""
        except MdmemError:
            return ""
    from mdmem.models import minilm

    return minilm.NAME


class Meanings:
    """The vectors of one vault, to be brought up to date in a transaction of the caller."""

    def __init__(self, server: Server, vault: Vault, reader: PublishedReader, partitions: VaultPartitions) -> None:
        self._server = server
        self._id = vault.config.id
        self._reader = reader
        self.model = model_of(vault) if partitions.has_vectors else ""
        self._vectors = Vectors(vault.root, self.model)
        self._partitions = partitions
        known = self._vectors.digests() if self.model else set()
        self._wanted = {
            path: (digest, reader.scope_of(path)) for path, digest in reader.digests.items() if digest in known
        }

    @cached_property
    def numbers(self) -> int:
        """How many numbers each vector has, 0 if there is none."""
        first = next(iter(self._wanted.values()), None)
        return len(self._vectors.of([first[0]])[first[0]]) if first else 0

    def fill(self) -> int:
        """Write all of them into the new partition; how many."""
        self._partitions.numbers = self.numbers
        self._copy(sorted(self._wanted), is_new=True)
        return len(self._wanted)

    def differences(self) -> tuple[list[str], list[str]]:
        """(paths to write, paths to remove) for what is there to be what should be there."""
        if not self._partitions.has_vectors:
            return [], []
        known = {path: (digest, scope) for path, digest, scope in self._server.run(_KNOWN, [self._id])}
        gone = sorted(path for path, told in known.items() if self._wanted.get(path) != told)
        return sorted(path for path, told in self._wanted.items() if known.get(path) != told), gone

    def update(self, new: Sequence[str], gone: Sequence[str]) -> None:
        """Write and remove what `differences` named."""
        if gone:
            self._server.run(_DELETE, [self._id, list(gone)])
        self._copy(new, is_new=False)

    def _copy(self, paths: Sequence[str], is_new: bool) -> None:
        if paths:
            self._server.copy(self._partitions.copying(VECTORS, _COLUMNS, is_new), self._rows(paths))

    def _rows(self, paths: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for at in range(0, len(paths), AT_ONCE):
            some = paths[at : at + AT_ONCE]
            vectors = self._vectors.of([self._wanted[path][0] for path in some])
            for path in some:
                digest, scope = self._wanted[path]
                yield self._id, path, scope, digest, str(vectors[digest])
