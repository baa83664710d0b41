"""What a reader might try to see of vaults that it may not read: for the tests of roles, and for the bench."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

KINDS = "ARRAY['memory', 'entry', 'fact']"
# Each function of the schema, called with what somebody might know of another vault, or for all that there is.
CALLS = {
    "asking": "()",
    "seen": "()",
    "marks": "()",
    "mark": "('test', 'kitchen')",
    "says_all": "(ARRAY[%(stem)s])",
    "spoken": "('a', 0)",
    "count_words": "(%(vault)s, ARRAY[%(path)s], 1)",
    "readable_vaults": "()",
    "readable_sizes": "()",
    "readable_notes": f"({KINDS})",
    "hidden": "('{}', '{}')",
    "notes_at": "(ARRAY[%(vault)s], ARRAY[%(path)s])",
    "notes_called": "(%(name)s)",
    "notes_with_id": "(%(id)s)",
    "beside": "(ARRAY[%(vault)s], ARRAY[''], ARRAY[%(session)s], ARRAY[''], 9)",
    "linking": "(ARRAY[%(target)s], '')",
    "traits_of": "(%(trait)s, '')",
    "frequencies_of": "(ARRAY[%(stem)s, %(mark)s])",
    "vocabulary": "(ARRAY[''])",
    "created_within": f"('', '9999', {KINDS}, NULL)",
    "years": "()",
    "best": f"(ARRAY[%(stem)s, %(mark)s], 3000, {KINDS}, '{{}}', '{{}}', NULL)",
    "saying": "(ARRAY[%(stem)s, %(mark)s], ARRAY[0, 0])",
    "number_saying": "(%(stem)s, 0)",
}
CATALOGUES = (
    *("pg_stats", "pg_stats_ext", "pg_stats_ext_exprs", "pg_sequences", "pg_publication_tables", "pg_policies"),
    *("pg_stat_activity", "pg_locks", "pg_stat_user_tables", "pg_stat_user_indexes", "pg_class", "pg_description"),
    *("pg_prepared_statements", "pg_cursors", "information_schema.columns"),
)
REFUSED = (
    "SELECT * FROM pg_statistic",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT pg_ls_dir('.')",
    "SELECT * FROM pg_ls_waldir()",
    "SELECT pg_create_logical_replication_slot('taken', 'test_decoding')",
    "COPY pg_class TO PROGRAM 'cat'",
    "LOAD 'auto_explain'",
    "SET session_preload_libraries = 'auto_explain'",
    "SET log_statement = 'all'",
    "CREATE EXTENSION pageinspect",
    "CREATE SUBSCRIPTION taken CONNECTION '' PUBLICATION taken",
    "SELECT mdmem.nothing()",
)
_LEAK = (
    "CREATE FUNCTION pg_temp.leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS"
    " $$ BEGIN INSERT INTO told VALUES ($1); RETURN true; END $$"
)


def relations(connection: Any) -> list[str]:
    """Every table, view and sequence of the schema."""
    named = (
        "SELECT relname FROM pg_class WHERE relnamespace = 'mdmem'::regnamespace AND relkind = ANY ('{r,v,m,S}')"
    )
    return [name for (name,) in connection.execute(named)]


def functions(connection: Any) -> set[str]:
    """Every function of the schema."""
    named = "SELECT proname FROM pg_proc WHERE pronamespace = 'mdmem'::regnamespace"
    return {name for (name,) in connection.execute(named)}


def told(connection: Any, statement: str, values: Mapping[str, str] | None = None) -> str:
    """Whatever a statement gives, the error included; of a plan without what it was asked with."""
    import psycopg

    try:
        cursor = connection.execute(statement, values)
        text = "\n".join(map(str, cursor.fetchall())) if cursor.description else ""
    except psycopg.Error as error:
        text = " ".join(map(str, (error, error.diag.message_detail, error.diag.message_hint, error.diag.context)))
    text = text.lower()
    if statement.startswith("EXPLAIN"):
        for asked in sorted((values or {}).values(), key=len, reverse=True):
            text = text.replace(asked.lower(), "…")
    return text


def every_answer(connection: Any, other: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each statement that a reader tries, and what it is told. `other` has what it knows of another vault."""
    names = relations(connection)
    statements = [f"SELECT t::text FROM mdmem.{name} t" for name in names]
    statements += [f"EXPLAIN (ANALYZE, VERBOSE, COSTS OFF) SELECT * FROM mdmem.{name}" for name in names]
    statements += [f"SELECT c::text FROM {name} c" for name in CATALOGUES]
    statements += ["SELECT * FROM mdmem.memories WHERE text::int > 0", *REFUSED]
    yield from ((statement, told(connection, statement)) for statement in statements)
    for name, given in CALLS.items():
        for before in ("", "EXPLAIN (ANALYZE, VERBOSE, COSTS OFF) "):
            statement = f"{before}SELECT f::text FROM mdmem.{name}{given} f"
            yield statement, told(connection, statement, other)
    # a function of its own is asked about no row that it may not see
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS told (text text)")
    connection.execute(_LEAK.replace("CREATE", "CREATE OR REPLACE"))
    for source in ("memories", f"readable_notes({KINDS})", "vocabulary('{\"\"}')", "readable_vaults()"):
        connection.execute(f"SELECT count(*) FROM mdmem.{source} t WHERE pg_temp.leak(t::text)")
    yield "a function of its own", told(connection, "SELECT text FROM told")


def spelled(connection: Any, table: str, column: str) -> str:
    """The first value that can be spelled from how many rows EXPLAIN says were left out for the reader."""
    connection.execute("SET enable_seqscan = off")
    found = ""
    while len(found) < 60:
        for letter in "abcdefghijklmnopqrstuvwxyz0123456789_./":
            asked = f"{column} >= '{found}{letter}' AND {column} < '{found}{letter}~'"
            plan = told(connection, f"EXPLAIN (ANALYZE, TIMING OFF) SELECT 1 FROM mdmem.{table} WHERE {asked}")
            if re.search(r"rows removed by filter: [1-9]", plan):
                found += letter
                break
        else:
            return found
    return found


def pages(connection: Any, other: Mapping[str, str]) -> dict[str, str]:
    """How many pages of the server each function looks at."""
    connection.execute("SET enable_seqscan = off")
    found = {}
    for name, given in CALLS.items():
        statement = f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) SELECT * FROM mdmem.{name}{given}"
        for _ in range(3):  # the first time it looks into the catalogue
            plan = told(connection, statement, other)
        found[name] = " ".join(re.findall(r"shared hit=\d+(?: read=\d+)?", plan))
    return found
