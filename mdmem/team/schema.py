"""The tables of a team's index: their contents, their definitions, and the check that they are of this version.

They are versioned like the file of the local index: with another number, everything is dropped and published
again. Each vault has its own partitions, so that it can be refilled or dropped without touching another.

A row has the columns of the local index, with amendments by other files already applied and everything hidden by
the clearance left out. Anybody who may connect can read the ids of vaults: they are in the partition bounds.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mdmem import __version__
from mdmem.store.index.port import FIELDS
from mdmem.team.server import Server

if TYPE_CHECKING:
    from mdmem.team.server import Server


NAME = "mdmem"  # of the schema
_TABLES_OF = 10  # to be changed with the tables, the functions or what tables hold
# The version includes what rows depend on: the weights of fields are part of the counts in `stems`.
VERSION = f"{_TABLES_OF}:" + ",".join(f"{field}={weight}" for field, weight in FIELDS.items())
LONGEST_STEM = 500  # bytes; an index of PostgreSQL takes at most 2,700, and nobody searches for such a word
LONGEST_KEY = 300  # characters of other texts that are looked up
LONGEST_PATH = 1000  # bytes

PARTITIONED = (
    "notes",
    "words",
    "frequencies",
    "sizes",
    "links",
    "traits",
)  # in `data/tables.sql`
VECTORS = "vectors"  # in `data/vectors.sql`: only if the server has pgvector


def statements(name: str) -> list[str]:
    """The statements of `data/NAME.sql`."""
    path = os.path.join(os.path.dirname(__file__), "data", f"{name}.sql")
    with open(path, encoding="utf-8") as file:
        return [text.strip() for text in file.read().split(";\n") if text.strip()]


def statements_of(table: str, partition: str) -> list[str]:
    """The statements that give a new partition the indexes and protection of its table."""
    start = re.compile(rf"(CREATE (?:UNIQUE )?INDEX ON|ALTER TABLE) {NAME}\.{table} ")
    made = statements(VECTORS if table == VECTORS else "tables")
    return [start.sub(rf"\1 {NAME}.{partition} ", text) for text in made if start.match(text)]


def check(server: Server) -> None:
    """Raise TeamError if there are no tables, or if they are of another version."""
    from mdmem.team.server import TeamError

    version = version_of(server)
    if not version:
        raise TeamError("the team's server has no index yet", "mdmem team init makes one")
    if version != VERSION:
        raise TeamError(
            "the team's index is of another version of mdmem",
            "use that version, or make new tables with mdmem team init and publish again",
        )


def version_of(server: Server) -> str:
    """The version of the tables, "" if there are none, "?" if they do not say."""
    told = server.run("SELECT version FROM mdmem.about") if exists(server, "about") else [("",)]
    return str(told[0][0]) if told else "?"


def exists(server: Server, table: str) -> bool:
    """Whether there is such a table."""
    return bool(server.run("SELECT to_regclass(%s)", [f"{NAME}.{table}"])[0][0])


def partition_name(table: str, vault: str) -> str:
    """The name of a vault's partition of a table."""
    return f"{table}_{hashlib.sha256(vault.encode()).hexdigest()[:16]}"


READABLE = (*PARTITIONED, "vaults", "about", "memories")


def owner_of(server: Server) -> str:
    """The role that owns the tables, "" if there are none."""
    told = server.run("SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = %s", [NAME])
    return str(told[0][0]) if told else ""


def become_owner(server: Server) -> None:
    """Run the rest of the transaction as the owner. Raises TeamError for a role that may not."""
    from psycopg import sql

    if owner := owner_of(server):
        server.run(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(owner)))


class Statements:
    """Builds statements; names are quoted by psycopg, never inserted into a text."""

    def __init__(self, owner: str) -> None:
        from psycopg import sql

        self._sql = sql
        self._owner = sql.Identifier(owner)

    def text(self, text: str, **names: Any) -> Any:
        """A literal text with names inserted, {owner} among them."""
        return self._sql.SQL(text).format(owner=self._owner, **names)

    def role(self, name: str) -> Any:
        return self._sql.Identifier(name)

    def literal(self, value: Any) -> Any:
        return self._sql.Literal(value)

    def make(self) -> list[Any]:
        """The statements that create everything in an empty database, for a role that may become the owner."""
        about = "INSERT INTO mdmem.about VALUES ({version}, {made_by})"
        made_by = self.literal(f"mdmem {__version__}")
        return [
            self.text("CREATE SCHEMA mdmem AUTHORIZATION {owner}"),
            self.text("SET LOCAL ROLE {owner}"),
            *statements("tables"),
            self.text(about, version=self.literal(VERSION), made_by=made_by),
            self.text("RESET ROLE"),
        ]

    def make_vectors(self) -> list[Any]:
        """The statements that create the table of vectors, beside the others."""
        extension = "CREATE EXTENSION IF NOT EXISTS vector"
        return [extension, self.text("SET LOCAL ROLE {owner}"), *statements(VECTORS), self.text("RESET ROLE")]

    # -- who may read --------------------------------------------------------------------------------------

    def grant(self, reader: str, vault: str, scopes: Sequence[str]) -> Iterator[Any]:
        """The statements that let a role read a vault, or only some of its scopes."""
        yield from self.grant_tables(reader, READABLE)
        yield self.text(
            "INSERT INTO mdmem.grants (reader, vault, scopes) VALUES ({reader}, {vault}, {scopes}::text[])"
            " ON CONFLICT (reader, vault) DO UPDATE SET scopes = excluded.scopes",
            reader=self.literal(reader),
            vault=self.literal(vault),
            scopes=self.literal(list(scopes)),
        )

    def grant_tables(self, reader: str, names: Sequence[str]) -> Iterator[Any]:
        """The statements that let a role query tables; it only sees the rows granted to it."""
        yield self.text("GRANT USAGE ON SCHEMA mdmem TO {reader}", reader=self.role(reader))
        tables = self._sql.SQL(", ").join(self._sql.Identifier(NAME, table) for table in names)
        yield self.text("GRANT SELECT ON {tables} TO {reader}", tables=tables, reader=self.role(reader))

    def revoke(self, reader: str, vault: str, is_last: bool) -> Iterator[Any]:
        """The statements that stop a role reading a vault ("": any); if it `is_last`, also the tables."""
        yield self.text(
            "DELETE FROM mdmem.grants WHERE reader = {reader} AND {vault} IN ('', vault)",
            reader=self.literal(reader),
            vault=self.literal(vault),
        )
        if is_last:
            yield self.text("REVOKE ALL ON ALL TABLES IN SCHEMA mdmem FROM {reader}", reader=self.role(reader))
            yield self.text("REVOKE ALL ON SCHEMA mdmem FROM {reader}", reader=self.role(reader))


def as_script(texts: Sequence[str]) -> str:
    """Statements as a script for psql, in one transaction."""
    return "\n".join(["BEGIN;", *(f"{text};" for text in texts), "COMMIT;"])


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
