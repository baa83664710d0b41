"""The statements that create a team's tables, their owner and the readers' rights: to be run, or to be printed.

A role of its own owns everything and cannot log in; publishers are its members. A reader is any role with a row
in `grants`. What it sees is decided in one place, the function `seen`: the vaults and scopes of the current role.
Row-level security uses it for every table. PostgreSQL does not let a role under such a policy use a GIN index,
since the operators of those could reveal rows; so words are looked up by a function that calls `seen` itself. No
argument may make such a function fail: it may read a row before it checks whether the reader may see it, and
the error would then reveal that the row exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mdmem import __version__
from mdmem.team.schema import NAME, PARTITIONED, VECTORS, VERSION, statements

if TYPE_CHECKING:
    from mdmem.team.server import Server

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
