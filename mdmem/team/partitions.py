"""The partitions of a vault: new ones are filled beside those in use, and replace them at once.

Readers see the old ones until the transaction ends. After that the old rows are gone from the server's disk, as
erased memories must be.
"""

from __future__ import annotations

from collections.abc import Sequence

from mdmem.team.schema import NAME, PARTITIONED, VECTORS, exists, partition_name, statements_of
from mdmem.team.server import Server

_NEW = "_new"
# Readers query this table first. It is locked first, so that no reader waiting for the swap holds a lock it needs.
_LOCK = "LOCK TABLE mdmem.vaults IN ACCESS EXCLUSIVE MODE"

# A row rather than an advisory lock, since any role of the server may take those.
_CLAIM = """
INSERT INTO mdmem.publishers AS p (vault, hub) VALUES (%s, '')
ON CONFLICT (vault) DO UPDATE SET hub = p.hub
"""


class VaultPartitions:
    """The partitions of one vault. Callers run its methods within a transaction."""

    def __init__(self, server: Server, vault: str) -> None:
        self._server = server
        self._vault = vault
        self.tables = [*PARTITIONED]
        self.has_vectors = exists(server, VECTORS)
        if self.has_vectors:
            self.tables.append(VECTORS)
        self.numbers = 0  # the dimension of this vault's vectors

    def claim(self) -> None:
        """Make others that publish or drop the vault wait until the transaction ends."""
        self._server.run(_CLAIM, [self._vault])

    def _new(self, table: str) -> str:
        """The partition that is being filled."""
        return f"{NAME}.{partition_name(table, self._vault)}{_NEW}"

    def copying(self, table: str, columns: Sequence[str], is_new: bool) -> str:
        """The COPY statement that sends rows to a table of the vault."""
        place = self._new(table) if is_new else f"{NAME}.{table}"
        return f"COPY {place} ({', '.join(columns)}) FROM STDIN"

    def carry_over(self, table: str, columns: Sequence[str], paths: Sequence[str]) -> None:
        """Copy rows of the partition in use into the new one."""
        listed = ", ".join(columns)
        self._server.run(
            f"INSERT INTO {self._new(table)} ({listed})"  # noqa: S608 - own literals
            f" SELECT {listed} FROM {NAME}.{table} WHERE vault = %s AND path = ANY(%s)",
            [self._vault, list(paths)],
        )

    def names(self) -> list[str]:
        """The names of the partitions in use, within their schema."""
        return [partition_name(table, self._vault) for table in self.tables]

    def begin(self) -> None:
        """Create empty partitions beside those in use."""
        for table in self.tables:
            self._server.run(f"CREATE TABLE {self._new(table)} (LIKE {NAME}.{table} INCLUDING DEFAULTS)")

    def finish(self) -> None:
        """Index the new partitions, and replace the old ones by them."""
        for table in self.tables:
            for text in statements_of(table, partition_name(table, self._vault) + _NEW):
                self._server.run(text)
            self._run(f"ALTER TABLE {self._new(table)} ADD CHECK (vault = {{}})")
        if self.numbers:
            index = f"USING hnsw ((vector::halfvec({self.numbers})) halfvec_cosine_ops)"
            self._server.run(f"CREATE INDEX ON {self._new(VECTORS)} {index}")
        self._server.swap(self._take_the_place)

    def _take_the_place(self) -> None:
        self.drop()
        for table, name in zip(self.tables, self.names(), strict=True):
            self._server.run(f"ALTER TABLE {self._new(table)} RENAME TO {name}")
            self._run(f"ALTER TABLE {NAME}.{table} ATTACH PARTITION {NAME}.{name} FOR VALUES IN ({{}})")

    def drop(self) -> None:
        """Drop the partitions in use, if there are any; run it in a `Server.swap`."""
        self._server.run(_LOCK)
        for name in self.names():
            self._server.run(f"DROP TABLE IF EXISTS {NAME}.{name}")

    def _run(self, text: str) -> None:
        """Run a statement that needs the id of the vault."""
        from psycopg import sql

        self._server.run(sql.SQL(text).format(sql.Literal(self._vault)))
