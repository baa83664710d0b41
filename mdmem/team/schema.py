"""The tables of a team's index: their contents, their definitions, and the check that they are of this version.

They are versioned like the file of the local index: with another number, everything is dropped and published
again. Each vault has its own partitions, so that it can be refilled or dropped without touching another.

A row has the columns of the local index, with amendments by other files already applied and everything hidden by
the clearance left out. Anybody who may connect can read the ids of vaults: they are in the partition bounds.
"""

from __future__ import annotations

import hashlib
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

# table -> (its columns, the indexes of each partition). All are partitioned by vault, all have a scope.
PARTITIONED: dict[str, tuple[str, tuple[str, ...]]] = {
    "notes": (
        """
        vault text NOT NULL, path text NOT NULL, kind text NOT NULL, file text NOT NULL, lines integer[] NOT NULL,
        name text NOT NULL, id text NOT NULL, title text NOT NULL, type text NOT NULL, status text NOT NULL,
        category text NOT NULL, topic text NOT NULL, tags text[] NOT NULL, inline_tags text[] NOT NULL,
        session text NOT NULL, created text NOT NULL, updated text NOT NULL,
        sensitivity text NOT NULL, scope text NOT NULL, committer text NOT NULL,
        properties json NOT NULL, life json, validity json,
        body_line integer NOT NULL, body text NOT NULL, digest bytea, mark bytea NOT NULL
        """,
        (
            "UNIQUE INDEX ON {} (vault, path)",
            "INDEX ON {} (name) WHERE kind = 'memory'",
            "INDEX ON {} (id)",
            "INDEX ON {} (file)",
            "INDEX ON {} (created)",
            "INDEX ON {} (session, created, path) WHERE session <> '' AND kind = 'memory'",
        ),
    ),
    "words": (
        """
        vault text NOT NULL, path text NOT NULL, kind text NOT NULL, scope text NOT NULL, created text NOT NULL,
        length integer NOT NULL, stems jsonb NOT NULL, places text NOT NULL
        """,
        ("UNIQUE INDEX ON {} (vault, path)", "INDEX ON {} USING gin (stems)"),
    ),
    "frequencies": (
        'vault text NOT NULL, scope text NOT NULL, stem text COLLATE "C" NOT NULL, notes integer NOT NULL',
        ("UNIQUE INDEX ON {} (vault, scope, stem)", "INDEX ON {} (stem)"),
    ),
    "sizes": (
        """
        vault text NOT NULL, scope text NOT NULL, kind text NOT NULL, notes integer NOT NULL, words bigint NOT NULL
        """,
        ("UNIQUE INDEX ON {} (vault, scope, kind)",),
    ),
    "links": (
        """
        vault text NOT NULL, path text NOT NULL, scope text NOT NULL, target text NOT NULL,
        predicate text NOT NULL, line integer NOT NULL
        """,
        ("INDEX ON {} (path)", "INDEX ON {} (target)"),
    ),
    "traits": (
        """
        vault text NOT NULL, path text NOT NULL, scope text NOT NULL, name text NOT NULL, key text NOT NULL,
        value text NOT NULL, detail text NOT NULL
        """,
        ("INDEX ON {} (path)", "INDEX ON {} (name, key)"),
    ),
}
# Columns that the planner takes no samples of: EXPLAIN could reveal values of rows that the reader may not see.
UNSAMPLED = (("notes", "title"), ("notes", "body"), ("words", "places"))
VECTORS = "vectors"  # only if the server has pgvector; the vectors of a vault are of one model
VECTOR_COLUMNS = """
vault text NOT NULL, path text NOT NULL, passage integer NOT NULL, scope text NOT NULL, digest bytea NOT NULL,
vector halfvec NOT NULL
"""

PLAIN = """
CREATE TABLE {schema}.about (version text NOT NULL, made_by text NOT NULL);
CREATE TABLE {schema}.vaults (
  vault text PRIMARY KEY, name text NOT NULL, url text NOT NULL, folder text NOT NULL, head text NOT NULL,
  published timestamptz NOT NULL, notes integer NOT NULL, max_sensitivity text NOT NULL,
  rules text NOT NULL, model text NOT NULL, numbers integer NOT NULL);
CREATE TABLE {schema}.publishers (vault text PRIMARY KEY, hub text NOT NULL);
CREATE TABLE {schema}.grants (
  reader name NOT NULL, vault text NOT NULL, scopes text[] NOT NULL, PRIMARY KEY (reader, vault));
"""

COMMENTS = {
    "TABLE about": "Which version of mdmem these tables are for. All is derived from git.",
    "TABLE vaults": "The vaults that are published here.",
    "COLUMN vaults.vault": "Id of the vault, from its mdmem.toml.",
    "COLUMN vaults.name": "Display name.",
    "COLUMN vaults.url": "URL that it is pushed to, without user names and passwords.",
    "COLUMN vaults.folder": "Its folder within its repository: empty, or ends with a slash.",
    "COLUMN vaults.head": "The commit that all its rows here are from.",
    "COLUMN vaults.published": "When that commit was published.",
    "COLUMN vaults.notes": "Number of its rows here, memories and others.",
    "COLUMN vaults.max_sensitivity": "Nothing more sensitive than this was published.",
    "COLUMN vaults.rules": "Fingerprint of the settings that rows depend on.",
    "COLUMN vaults.model": "The model of its vectors; empty: it has none.",
    "COLUMN vaults.numbers": "Dimension of its vectors.",
    "TABLE publishers": "Who publishes a vault; its row is locked meanwhile. Readers do not see it.",
    "COLUMN publishers.hub": "The repository of a hub, and the folder in it; empty: clones publish it.",
    "TABLE grants": "Which role may read which vault. An empty list of scopes is all of them.",
    "TABLE notes": "Memories, ingested dialogs (kind entry) and statements in them (kind fact).",
    "COLUMN notes.path": "Path within the vault; for a fact the path of its file, # and its id.",
    "COLUMN notes.file": "The file that the row is from.",
    "COLUMN notes.lines": "The line of the file for each line of the text, where those differ; else empty.",
    "COLUMN notes.name": "File name without .md, folded as links are compared.",
    "COLUMN notes.status": "active, deprecated, contested, retracted ...",
    "COLUMN notes.inline_tags": "Tags within the text, beside those of its properties.",
    "COLUMN notes.session": "Id of the conversation that it came from.",
    "COLUMN notes.created": "RFC 3339 in UTC; from git where the file does not say.",
    "COLUMN notes.committer": "E-mail address, in lower case, of who committed its last version.",
    "COLUMN notes.properties": "Every property of its frontmatter.",
    "COLUMN notes.life": "Those that ranking reads: importance, salience, pinned, decay ...",
    "COLUMN notes.validity": "Those that say when it holds.",
    "COLUMN notes.body_line": "The line of the file (1-based) where the text begins.",
    "COLUMN notes.digest": "Digest of the text of a memory (title and body).",
    "COLUMN notes.mark": "Digest of everything that is published of the row.",
    "TABLE words": "For searching: the words of each row as the local index has them.",
    "COLUMN words.length": "Number of words in all fields.",
    "COLUMN words.stems": "Stem -> number of occurrences, each weighted by its field.",
    "COLUMN words.places": "All stems in order, a line for each field: name, title (aliases), tags, headings ...",
    "TABLE frequencies": "Number of rows of a vault and scope that have a stem.",
    "TABLE sizes": "Number of rows and words of a vault, by scope and kind.",
    "TABLE links": "Links between memories.",
    "COLUMN links.target": "Name of the memory it leads to, folded as links are compared.",
    "COLUMN links.predicate": "mentions, or the property that holds the link: supersedes, derived_from ...",
    "TABLE traits": "Keys by which memories are looked up, besides words and properties.",
}

MEMORIES = """
CREATE VIEW {schema}.memories WITH (security_invoker = true) AS
SELECT v.name AS vault, n.path, n.name, n.title, n.type, n.status, n.category, n.topic,
  n.tags || n.inline_tags AS tags, n.session,
  CASE WHEN n.created ~ '^[1-9]' THEN n.created::timestamptz END AS created,
  CASE WHEN n.updated ~ '^[1-9]' THEN n.updated::timestamptz END AS updated,
  n.sensitivity, n.scope, n.properties::jsonb AS properties,
  n.body AS text, v.head AS "commit"
FROM {schema}.vaults v JOIN {schema}.notes n USING (vault) WHERE n.kind = 'memory'
"""


def check(server: Server) -> None:
    """Raise TeamError if there are no tables, or if they are of another version."""
    from mdmem.team.server import TeamError

    if not server.run("SELECT to_regclass(%s)", [f"{NAME}.about"])[0][0]:
        raise TeamError("the team's server has no index yet", "mdmem team init makes one")
    versions = server.run("SELECT version FROM mdmem.about")
    if versions != [(VERSION,)]:
        raise TeamError(
            "the team's index is of another version of mdmem",
            "use that version, or make new tables with mdmem team init and publish again",
        )


def partition_name(table: str, vault: str) -> str:
    """The name of a vault's partition of a table."""
    return f"{table}_{hashlib.sha256(vault.encode()).hexdigest()[:16]}"
