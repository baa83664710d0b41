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
from typing import TYPE_CHECKING

from mdmem.store.index.port import FIELDS

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
