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
from mdmem.team.schema import (
    COMMENTS,
    MEMORIES,
    NAME,
    PARTITIONED,
    PLAIN,
    UNSAMPLED,
    VECTOR_COLUMNS,
    VECTORS,
    VERSION,
)

if TYPE_CHECKING:
    from mdmem.team.server import Server

READABLE = (*PARTITIONED, "vaults", "about", "memories")
_VISIBLE = "(vault, scope) IN (SELECT s.vault, s.scope FROM {schema}.seen() s)"
_FUNCTIONS = """
CREATE FUNCTION {schema}.asking() RETURNS name LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role')::name END $$;
CREATE FUNCTION {schema}.seen() RETURNS TABLE (vault text, scope text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH granted AS (
    SELECT g.vault, g.scopes FROM {schema}.grants g JOIN pg_roles r ON r.rolname = g.reader
    WHERE pg_has_role({schema}.asking(), r.oid, 'USAGE')
    UNION ALL
    SELECT v.vault, '{{}}' FROM {schema}.vaults v WHERE pg_has_role({schema}.asking(), current_user, 'USAGE'))
  SELECT g.vault, '' FROM granted g
  UNION
  SELECT s.vault, s.scope FROM {schema}.sizes s JOIN granted g ON g.vault = s.vault
  WHERE g.scopes = '{{}}' OR s.scope = ANY (g.scopes) $$;
CREATE FUNCTION {schema}.spoken(places text, field integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE field WHEN 0 THEN ' ' || replace(places, E'\\n', E' \\n ') || ' '
    ELSE ' ' || split_part(places, E'\\n', field) || ' ' END $$;
CREATE FUNCTION {schema}.best(rarest text[], wanted text[], rarities float8[], mean float8, kinds text[],
  starts text[], ends text[], most integer)
RETURNS TABLE (vault text, path text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT r.vault, r.path
  FROM {schema}.words r
  CROSS JOIN LATERAL (SELECT r.stems || '{{}}' AS stems OFFSET 0) AS unpacked
  CROSS JOIN LATERAL (
    SELECT sum(f.rarity * f.often * 2.2 / (f.often + 1.2 * (0.25 + 0.75 * r.length / greatest(mean, 1)))) AS score
    FROM (
      SELECT least(greatest(s.rarity, 0), 100) AS rarity, (unpacked.stems ->> s.stem)::float8 AS often
      FROM unnest(wanted, rarities) AS s (stem, rarity) WHERE unpacked.stems ? s.stem) AS f) AS w
  WHERE r.stems ?| rarest AND r.kind = ANY (kinds)
    AND (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM {schema}.seen() s)
    AND (starts = '{{}}' OR EXISTS (
      SELECT FROM unnest(starts, ends) AS d (first, last) WHERE r.created BETWEEN d.first AND d.last))
  ORDER BY w.score DESC, r.vault, r.path LIMIT most $$;
CREATE FUNCTION {schema}.saying(phrases text[], fields integer[])
RETURNS TABLE (phrase integer, vault text, path text, kind text, created text, length integer, places text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT p.number::integer - 1, r.vault, r.path, r.kind, r.created, r.length, r.places
  FROM unnest(phrases, fields) WITH ORDINALITY AS p (phrase, field, number)
  JOIN {schema}.words r ON r.stems ?& string_to_array(p.phrase, ' ')
    AND strpos({schema}.spoken(r.places, p.field), ' ' || p.phrase || ' ') > 0
  WHERE (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM {schema}.seen() s) $$;
CREATE FUNCTION {schema}.number_saying(phrase text, field integer) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*) FROM {schema}.words r
  WHERE r.stems ?& string_to_array(phrase, ' ')
    AND strpos({schema}.spoken(r.places, field), ' ' || phrase || ' ') > 0
    AND (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM {schema}.seen() s) $$
"""
_FUNCTION_COMMENTS = {
    "FUNCTION asking()": "The role that asks, also within functions that run with the rights of their owner.",
    "FUNCTION seen()": "The vaults, and the scopes in them, that the role that asks may read.",
    "FUNCTION spoken(text, integer)": "The stems of a row, or of one field of it (from 1), between spaces.",
    "FUNCTION best(text[], text[], float8[], float8, text[], text[], text[], integer)": (
        "Rows that have one of the rarest stems, best first by BM25 over all stems."
    ),
    "FUNCTION saying(text[], integer[])": "The rows that say phrases, anywhere or in a field (from 1).",
    "FUNCTION number_saying(text, integer)": "How many rows say a phrase.",
}


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
        self._schema = sql.Identifier(NAME)
        self._owner = sql.Identifier(owner)

    def text(self, text: str, **names: Any) -> Any:
        """A literal text with names inserted, {schema} and {owner} among them."""
        return self._sql.SQL(text).format(schema=self._schema, owner=self._owner, **names)

    def role(self, name: str) -> Any:
        return self._sql.Identifier(name)

    def literal(self, value: Any) -> Any:
        return self._sql.Literal(value)

    def make(self) -> Iterator[Any]:
        """The statements that create everything in an empty database, for a role that may become the owner."""
        yield self.text("CREATE SCHEMA {schema} AUTHORIZATION {owner}")
        yield self.text("SET LOCAL ROLE {owner}")
        yield from self._parts(PLAIN)
        for table, (columns, indexes) in PARTITIONED.items():
            name = self._sql.Identifier(NAME, table)
            yield self._sql.SQL("CREATE TABLE {} ({}) PARTITION BY LIST (vault)").format(
                name, self._sql.SQL(columns)
            )
            for index in indexes:
                yield self._sql.SQL("CREATE " + index).format(name)
        for table, column in UNSAMPLED:
            names = (self._sql.Identifier(NAME, table), self._sql.Identifier(column))
            yield self._sql.SQL("ALTER TABLE {} ALTER {} SET STATISTICS 0").format(*names)
        yield from self._parts(_FUNCTIONS)
        yield from self._policies()
        yield self.text(MEMORIES)
        for what, comment in {**COMMENTS, **_FUNCTION_COMMENTS}.items():
            yield self._comment(what, comment)
        yield self.text(
            "INSERT INTO {schema}.about VALUES ({version}, {made_by})",
            version=self.literal(VERSION),
            made_by=self.literal(f"mdmem {__version__}"),
        )
        yield self.text("RESET ROLE")

    def make_vectors(self) -> Iterator[Any]:
        """The statements that create the table of vectors, beside the others."""
        name = self._sql.Identifier(NAME, VECTORS)
        yield self.text("CREATE EXTENSION IF NOT EXISTS vector")
        yield self.text("SET LOCAL ROLE {owner}")
        columns = self._sql.SQL(VECTOR_COLUMNS)
        yield self._sql.SQL("CREATE TABLE {} ({}) PARTITION BY LIST (vault)").format(name, columns)
        yield from self._policy(VECTORS)
        yield self._comment(f"TABLE {VECTORS}", "What memories mean, for models that were switched on in vaults.")
        yield self.text("RESET ROLE")

    def _parts(self, text: str) -> Iterator[Any]:
        for part in text.split(";\n"):
            if part.strip():
                yield self.text(part.strip())

    def _policies(self) -> Iterator[Any]:
        for table in (*PARTITIONED, "vaults"):
            yield from self._policy(table)

    def _policy(self, table: str) -> Iterator[Any]:
        name = self._sql.Identifier(NAME, table)
        visible = "vault IN (SELECT s.vault FROM {schema}.seen() s)" if table == "vaults" else _VISIBLE
        yield self._sql.SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(name)
        yield self._sql.SQL("CREATE POLICY seen ON {} FOR SELECT USING ({})").format(name, self.text(visible))

    def _comment(self, what: str, comment: str) -> Any:
        kind, _, place = what.partition(" ")
        name: Any
        if kind == "FUNCTION":
            name = self._sql.SQL(f"{{}}.{place}").format(self._schema)
        else:
            name = self._sql.Identifier(NAME, *place.split("."))
        return self._sql.SQL(f"COMMENT ON {kind} {{}} IS {{}}").format(name, self.literal(comment))

    # -- who may read --------------------------------------------------------------------------------------

    def grant(self, reader: str, vault: str, scopes: Sequence[str]) -> Iterator[Any]:
        """The statements that let a role read a vault, or only some of its scopes."""
        yield from self.grant_tables(reader, READABLE)
        yield self.text(
            "INSERT INTO {schema}.grants (reader, vault, scopes) VALUES ({reader}, {vault}, {scopes}::text[])"
            " ON CONFLICT (reader, vault) DO UPDATE SET scopes = excluded.scopes",
            reader=self.literal(reader),
            vault=self.literal(vault),
            scopes=self.literal(list(scopes)),
        )

    def grant_tables(self, reader: str, names: Sequence[str]) -> Iterator[Any]:
        """The statements that let a role query tables; it only sees the rows granted to it."""
        yield self.text("GRANT USAGE ON SCHEMA {schema} TO {reader}", reader=self.role(reader))
        tables = self._sql.SQL(", ").join(self._sql.Identifier(NAME, table) for table in names)
        yield self.text("GRANT SELECT ON {tables} TO {reader}", tables=tables, reader=self.role(reader))

    def revoke(self, reader: str, vault: str, is_last: bool) -> Iterator[Any]:
        """The statements that stop a role reading a vault ("": any); if it `is_last`, also the tables."""
        yield self.text(
            "DELETE FROM {schema}.grants WHERE reader = {reader} AND {vault} IN ('', vault)",
            reader=self.literal(reader),
            vault=self.literal(vault),
        )
        if is_last:
            yield self.text("REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {reader}", reader=self.role(reader))
            yield self.text("REVOKE ALL ON SCHEMA {schema} FROM {reader}", reader=self.role(reader))


def as_script(texts: Sequence[str]) -> str:
    """Statements as a script for psql, in one transaction."""
    return "\n".join(["BEGIN;", *(f"{text};" for text in texts), "COMMIT;"])
