"""The tables of a team's index: their contents, their definitions, and the check that they are of this version.

They are versioned like the file of the local index: with another number, everything is dropped and published
again. A row has the columns of the local index, with amendments by other files already applied and everything
hidden by the clearance left out.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from mdmem.store.index.port import FIELDS
from mdmem.team.server import Server, TeamError

NAME = "mdmem"  # of the schema
_TABLES_OF = 13  # to be changed with the tables, the functions or what tables hold
# The version includes what rows depend on: the weights of fields are part of the counts in `stems`.
VERSION = f"{_TABLES_OF}:" + ",".join(f"{field}={weight}" for field, weight in FIELDS.items())
LONGEST_STEM = 500  # bytes; an index of PostgreSQL takes at most 2,700, and nobody searches for such a word
LONGEST_KEY = 300  # characters of other texts that are looked up
LONGEST_PATH = 1000  # bytes

OF_PATHS = ("notes", "words", "links", "traits")  # tables whose rows belong to one path each
TABLES = (*OF_PATHS, "frequencies", "sizes")  # of the rows of vaults, in `data/tables.sql`
VECTORS = "vectors"  # in `data/vectors.sql`: only if the server has pgvector


def statements(name: str) -> list[str]:
    """The statements of `data/NAME.sql`."""
    path = os.path.join(os.path.dirname(__file__), "data", f"{name}.sql")
    with open(path, encoding="utf-8") as file:
        return [text.strip() for text in file.read().split(";\n") if text.strip()]


def statement(text: str, *values: Any, **names: str) -> Any:
    """A literal text with values for `{}` and names for `{NAME}`, both quoted by psycopg."""
    from psycopg import sql

    quoted = {key: sql.Identifier(name) for key, name in names.items()}
    return sql.SQL(text).format(*map(sql.Literal, values), **quoted)


def as_owner(owner: str, texts: Sequence[Any]) -> list[Any]:
    """Statements that run as the role that owns the tables."""
    return [statement("SET LOCAL ROLE {owner}", owner=owner), *texts, "RESET ROLE"]


def check(server: Server) -> None:
    """Raise TeamError if there are no tables, or if they are of another version."""
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


def owner_of(server: Server) -> str:
    """The role that owns the tables, "" if there are none."""
    told = server.run("SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = %s", [NAME])
    return str(told[0][0]) if told else ""


def become_owner(server: Server) -> None:
    """Run the rest of the transaction as the owner. Raises TeamError for a role that may not."""
    if owner := owner_of(server):
        server.run(statement("SET LOCAL ROLE {owner}", owner=owner))


# A row rather than an advisory lock, since any role of the server may take those.
_CLAIM = """
INSERT INTO mdmem.publishers AS p (vault, hub) VALUES (%s, '')
ON CONFLICT (vault) DO UPDATE SET hub = p.hub
"""


def claim(server: Server, vault: str) -> None:
    """Make others that publish or drop the vault wait until the transaction ends."""
    server.run(_CLAIM, [vault])


def clear(server: Server, vault: str, tables: Sequence[str] = TABLES) -> None:
    """Delete the rows that some tables have of a vault."""
    for table in tables:
        server.run(f"DELETE FROM mdmem.{table} WHERE vault = %s", [vault])  # noqa: S608 - own literals
