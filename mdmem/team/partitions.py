"""The partitions of a vault: new ones are filled beside those in use, and replace them at once.

Readers see the old ones until the transaction ends. After that the old rows are gone from the server's disk, as
erased memories must be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mdmem.team.schema import NAME, PARTITIONED, VECTORS, partition_name, statements_of
from mdmem.team.server import Server

_NEW = "_new"
# Readers query this table first. It is locked first, so that no reader waiting for the swap holds a lock it needs.
_LOCK = "LOCK TABLE mdmem.vaults IN ACCESS EXCLUSIVE MODE"


class VaultPartitions:
    """The partitions of one vault. Callers run its methods within a transaction."""

    def __init__(self, server: Server, vault: str) -> None:
        from psycopg import sql

        self._server = server
        self._vault = vault
        self._sql = sql
        self.tables = [*PARTITIONED]
        self.has_vectors = bool(server.run("SELECT to_regclass(%s)", [f"{NAME}.{VECTORS}"])[0][0])
        if self.has_vectors:
            self.tables.append(VECTORS)
        self.numbers = 0  # the dimension of this vault's vectors

    def parent(self, table: str) -> Any:
        """The table that is shared by all vaults."""
        return self._sql.Identifier(NAME, table)

    def new(self, table: str) -> Any:
        """The partition that is being filled."""
        return self._sql.Identifier(NAME, partition_name(table, self._vault) + _NEW)

    def copying(self, table: str, columns: Sequence[str], is_new: bool) -> Any:
        """The COPY statement that sends rows to a table of the vault."""
        place = self.new(table) if is_new else self.parent(table)
        listed = self._sql.SQL(", ").join(map(self._sql.Identifier, columns))
        return self._sql.SQL("COPY {} ({}) FROM STDIN").format(place, listed)

    def carry_over(self, table: str, columns: Sequence[str], paths: Sequence[str]) -> None:
        """Copy rows of the partition in use into the new one."""
        listed = self._sql.SQL(", ").join(map(self._sql.Identifier, columns))
        text = self._sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {} WHERE vault = %s AND path = ANY(%s)")
        insert = text.format(self.new(table), listed, listed, self.parent(table))
        self._server.run(insert, [self._vault, list(paths)])

    def names(self) -> list[str]:
        """The names of the partitions in use, within their schema."""
        return [partition_name(table, self._vault) for table in self.tables]

    def begin(self) -> None:
        """Create empty partitions beside those in use."""
        for table in self.tables:
            self._run("CREATE TABLE {} (LIKE {} INCLUDING DEFAULTS)", self.new(table), self.parent(table))

    def finish(self) -> None:
        """Index the new partitions, and replace the old ones by them."""
        for table in self.tables:
            for text in statements_of(table, partition_name(table, self._vault) + _NEW):
                self._server.run(text)
            check = self._sql.SQL("ALTER TABLE {} ADD CHECK (vault = {})")
            self._server.run(check.format(self.new(table), self._sql.Literal(self._vault)))
        if self.numbers:
            nearest = f"CREATE INDEX ON {{}} USING hnsw ((vector::halfvec({self.numbers})) halfvec_cosine_ops)"
            self._run(nearest, self.new(VECTORS))
        self._server.swap(self._take_the_place)

    def _take_the_place(self) -> None:
        self.drop()
        for table in self.tables:
            self._attach(table)

    def drop(self) -> None:
        """Drop the partitions in use, if there are any; run it in a `Server.swap`."""
        self._server.run(_LOCK)
        for table in self.tables:
            for name in self._attached(table):
                self._run("DROP TABLE {}", self._sql.Identifier(NAME, name))

    def _attached(self, table: str) -> Iterator[str]:
        name = partition_name(table, self._vault)
        if self._server.run("SELECT to_regclass(%s)", [f"{NAME}.{name}"])[0][0]:
            yield name

    def _attach(self, table: str) -> None:
        name = self._sql.Identifier(partition_name(table, self._vault))
        self._run("ALTER TABLE {} RENAME TO {}", self.new(table), name)
        place = self._sql.Identifier(NAME, partition_name(table, self._vault))
        attach = self._sql.SQL("ALTER TABLE {} ATTACH PARTITION {} FOR VALUES IN ({})")
        self._server.run(attach.format(self.parent(table), place, self._sql.Literal(self._vault)))

    def _run(self, text: str, *names: Any) -> None:
        self._server.run(self._sql.SQL(text).format(*names))
