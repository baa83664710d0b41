-- The tables of a team's index, its functions, the policies for readers, and what all that is for.
-- Readers have no right to a table: EXPLAIN would count the rows that it left out for them, by any range of any
-- column, and so spell names and words. They call functions of the owner. Indexes begin with the vault and the scope,
-- so that no row is looked at that the reader may not see.
CREATE TABLE mdmem.about (version text NOT NULL, made_by text NOT NULL);
CREATE TABLE mdmem.vaults (
  vault text PRIMARY KEY, name text NOT NULL, url text NOT NULL, folder text NOT NULL, head text NOT NULL,
  published timestamptz NOT NULL, notes integer NOT NULL, max_sensitivity text NOT NULL,
  rules text NOT NULL, model text NOT NULL, numbers integer NOT NULL);
CREATE TABLE mdmem.publishers (vault text PRIMARY KEY, hub text NOT NULL);
CREATE TABLE mdmem.grants (
  reader name NOT NULL, vault text NOT NULL, scopes text[] NOT NULL, PRIMARY KEY (reader, vault));

CREATE TABLE mdmem.notes (
  vault text NOT NULL, path text NOT NULL, kind text NOT NULL, file text NOT NULL, lines integer[] NOT NULL,
  name text NOT NULL, id text NOT NULL, title text NOT NULL, type text NOT NULL, status text NOT NULL,
  category text NOT NULL, topic text NOT NULL, tags text[] NOT NULL, inline_tags text[] NOT NULL, aliases text[] NOT NULL,
  session text NOT NULL, created text NOT NULL, updated text NOT NULL,
  sensitivity text NOT NULL, scope text NOT NULL, committer text NOT NULL,
  properties json NOT NULL, life json, validity json,
  body_line integer NOT NULL, body text NOT NULL, digest bytea, mark bytea NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.notes (vault, scope, path);
CREATE INDEX ON mdmem.notes (vault, scope, name);
CREATE INDEX ON mdmem.notes (vault, scope, id);
CREATE INDEX ON mdmem.notes (vault, file);
CREATE INDEX ON mdmem.notes (vault, scope, created);
CREATE INDEX ON mdmem.notes (vault, scope, session, created, path) WHERE session <> '' AND kind = 'memory';

CREATE TABLE mdmem.words (
  vault text NOT NULL, path text NOT NULL, kind text NOT NULL, scope text NOT NULL, created text NOT NULL,
  length integer NOT NULL, stems jsonb NOT NULL, places text NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.words (vault, path);
CREATE INDEX ON mdmem.words USING gin (stems);

CREATE TABLE mdmem.frequencies (
  vault text NOT NULL, scope text NOT NULL, stem text COLLATE "C" NOT NULL, notes integer NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.frequencies (vault, scope, stem);

CREATE TABLE mdmem.sizes (
  vault text NOT NULL, scope text NOT NULL, kind text NOT NULL, notes integer NOT NULL, words bigint NOT NULL,
  bytes bigint NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.sizes (vault, scope, kind);

CREATE TABLE mdmem.links (
  vault text NOT NULL, path text NOT NULL, scope text NOT NULL, target text NOT NULL,
  predicate text NOT NULL, line integer NOT NULL
);
CREATE INDEX ON mdmem.links (vault, path);
CREATE INDEX ON mdmem.links (vault, scope, target);

CREATE TABLE mdmem.traits (
  vault text NOT NULL, path text NOT NULL, scope text NOT NULL, name text NOT NULL, key text NOT NULL,
  value text NOT NULL, detail text NOT NULL
);
CREATE INDEX ON mdmem.traits (vault, path);
CREATE INDEX ON mdmem.traits (vault, scope, name, key);

CREATE FUNCTION mdmem.mark(vault text, scope text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$ SELECT vault || ':/' || scope $$;
-- Adds the words of some rows to the counts, or takes them off with -1.
CREATE FUNCTION mdmem.count_words(counted text, paths text[], sign integer) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO mdmem.frequencies AS f (vault, scope, stem, notes)
  SELECT w.vault, w.scope, s.stem, sign * count(*)
  FROM mdmem.words w CROSS JOIN jsonb_object_keys(w.stems - mdmem.mark(w.vault, w.scope)) AS s (stem)
  WHERE w.vault = counted AND w.path = ANY (paths) GROUP BY 1, 2, 3
  ON CONFLICT (vault, scope, stem) DO UPDATE SET notes = f.notes + excluded.notes; INSERT INTO mdmem.sizes AS s (vault, scope, kind, notes, words, bytes)
  SELECT w.vault, w.scope, w.kind, sign * count(*), sign * sum(w.length), sign * sum(
    pg_column_size(n.body) + pg_column_size(n.properties) + pg_column_size(w.stems) + pg_column_size(w.places))
  FROM mdmem.words w JOIN mdmem.notes n USING (vault, path)
  WHERE w.vault = counted AND w.path = ANY (paths) GROUP BY 1, 2, 3
  ON CONFLICT (vault, scope, kind) DO UPDATE
  SET notes = s.notes + excluded.notes, words = s.words + excluded.words, bytes = s.bytes + excluded.bytes $$;
CREATE FUNCTION mdmem.asking() RETURNS name LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role')::name END $$;
CREATE FUNCTION mdmem.seen() RETURNS TABLE (vault text, scope text)
LANGUAGE sql STABLE ROWS 10 SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH granted AS (
    SELECT g.vault, g.scopes FROM mdmem.grants g JOIN pg_roles r ON r.rolname = g.reader
    WHERE pg_has_role(mdmem.asking(), r.oid, 'USAGE')
    UNION ALL
    SELECT v.vault, '{}' FROM mdmem.vaults v WHERE pg_has_role(mdmem.asking(), current_user, 'USAGE'))
  SELECT g.vault, '' FROM granted g
  UNION
  SELECT s.vault, s.scope FROM mdmem.sizes s JOIN granted g ON g.vault = s.vault
  WHERE g.scopes = '{}' OR s.scope = ANY (g.scopes) $$;
CREATE FUNCTION mdmem.marks() RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT array_agg(mdmem.mark(s.vault, s.scope)) FROM mdmem.seen() s HAVING count(*) <= 16 $$;
CREATE FUNCTION mdmem.says_all(stems text[]) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT NOT EXISTS (SELECT FROM unnest(stems) AS o (stem) WHERE NOT EXISTS (
    SELECT FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT f.stem FROM mdmem.frequencies f WHERE f.vault = s.vault AND f.scope = s.scope
      AND f.stem = o.stem OFFSET 0) AS f)) $$;
CREATE FUNCTION mdmem.spoken(places text, field integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE field WHEN 0 THEN ' ' || replace(places, E'\n', E' \n ') || ' '
    ELSE ' ' || split_part(places, E'\n', field) || ' ' END $$;
CREATE FUNCTION mdmem.best(asked text[], weighed integer, kinds text[], starts text[], ends text[], most integer)
RETURNS TABLE (vault text, path text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  WITH seen AS MATERIALIZED (SELECT s.vault, s.scope FROM mdmem.seen() s),
  whole AS (
    SELECT sum(z.notes)::float8 AS notes, greatest(sum(z.words)::float8 / greatest(sum(z.notes), 1), 1) AS mean
    FROM seen s JOIN mdmem.sizes z USING (vault, scope)),
  known AS (
    SELECT f.stem, sum(f.notes)::float8 AS notes FROM seen s CROSS JOIN LATERAL (
    SELECT f.* FROM mdmem.frequencies f WHERE f.vault = s.vault AND f.scope = s.scope
      AND f.stem = ANY (asked) OFFSET 0) AS f GROUP BY f.stem),
  ranked AS (
    SELECT k.stem, greatest(ln((w.notes - k.notes + 0.5) / (k.notes + 0.5)), 1e-6) AS rarity,
      row_number() OVER rarest AS place, sum(k.notes) OVER rarest AS so_far
    FROM known k CROSS JOIN whole w WINDOW rarest AS (ORDER BY k.notes, k.stem ROWS UNBOUNDED PRECEDING)),
  chosen AS (
    SELECT array_agg(k.stem) AS stems, array_agg(k.rarity) AS rarities,
      array_agg(k.stem) FILTER (WHERE most IS NULL OR k.place = 1 OR k.so_far <= weighed) AS rarest
    FROM ranked k)
  SELECT r.vault, r.path
  FROM chosen c CROSS JOIN whole a JOIN mdmem.words r ON r.stems ?| c.rarest AND r.stems ?| coalesce((SELECT mdmem.marks()), c.rarest)
  CROSS JOIN LATERAL (SELECT r.stems || '{}' AS stems OFFSET 0) AS unpacked
  CROSS JOIN LATERAL (
    SELECT sum(f.rarity * f.often * 2.2 / (f.often + 1.2 * (0.25 + 0.75 * r.length / a.mean))) AS score
    FROM (
      SELECT s.rarity, (unpacked.stems ->> s.stem)::float8 AS often
      FROM unnest(c.stems, c.rarities) AS s (stem, rarity) WHERE unpacked.stems ? s.stem) AS f) AS w
  WHERE r.kind = ANY (kinds) AND (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM seen s)
    AND (starts = '{}' OR EXISTS (
      SELECT FROM unnest(starts, ends) AS d (first, last) WHERE r.created BETWEEN d.first AND d.last))
  ORDER BY w.score DESC, r.vault, r.path LIMIT most $$;
CREATE FUNCTION mdmem.saying(phrases text[], fields integer[], weights float8[] DEFAULT '{}')
RETURNS TABLE (phrase integer, vault text, path text, kind text, created text, length integer, often float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT p.number::integer - 1, r.vault, r.path, r.kind, r.created, r.length, (
    SELECT sum(weights[f.field::integer] * (
      SELECT count(*) FROM generate_series(1, cardinality(f.stems) - cardinality(s.stems) + 1) AS i
      WHERE f.stems[i : i + cardinality(s.stems) - 1] = s.stems))
    FROM (SELECT l.field, string_to_array(l.line, ' ') AS stems
      FROM string_to_table(r.places, E'\n') WITH ORDINALITY AS l (line, field)) AS f
    WHERE p.field IN (0, f.field))
  FROM unnest(phrases, fields) WITH ORDINALITY AS p (phrase, field, number)
  CROSS JOIN LATERAL (SELECT o.stems FROM string_to_array(p.phrase, ' ') AS o (stems)
    WHERE mdmem.says_all(o.stems) OFFSET 0) AS s
  JOIN mdmem.words r ON r.stems ?& s.stems AND r.stems ?| coalesce((SELECT mdmem.marks()), s.stems)
    AND strpos(mdmem.spoken(r.places, p.field), ' ' || p.phrase || ' ') > 0
  WHERE (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s) $$;
CREATE FUNCTION mdmem.number_saying(phrase text, field integer) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*) FROM mdmem.words r
  WHERE (SELECT mdmem.says_all(string_to_array(phrase, ' '))) AND r.stems ?& string_to_array(phrase, ' ')
    AND r.stems ?| coalesce((SELECT mdmem.marks()), string_to_array(phrase, ' '))
    AND strpos(mdmem.spoken(r.places, field), ' ' || phrase || ' ') > 0
    AND (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s) $$;

CREATE FUNCTION mdmem.readable_vaults() RETURNS SETOF mdmem.vaults
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT v.* FROM mdmem.vaults v WHERE v.vault IN (SELECT s.vault FROM mdmem.seen() s) $$;
CREATE FUNCTION mdmem.readable_sizes() RETURNS SETOF mdmem.sizes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT z.* FROM mdmem.seen() s JOIN mdmem.sizes z USING (vault, scope) $$;
CREATE FUNCTION mdmem.readable_notes(kinds text[]) RETURNS SETOF mdmem.notes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT n.* FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT n.* FROM mdmem.notes n WHERE n.vault = s.vault AND n.scope = s.scope
      AND n.kind = ANY (kinds) OFFSET 0) AS n $$;
CREATE FUNCTION mdmem.notes_at(vaults text[], paths text[]) RETURNS SETOF mdmem.notes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT n.* FROM unnest(vaults, paths) AS p (vault, path) JOIN mdmem.seen() s ON s.vault = p.vault
  CROSS JOIN LATERAL (
    SELECT o.* FROM mdmem.notes o WHERE o.vault = s.vault AND o.scope = s.scope AND o.path = p.path OFFSET 0) AS n $$;
CREATE FUNCTION mdmem.notes_called(asked text) RETURNS SETOF mdmem.notes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT n.* FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT n.* FROM mdmem.notes n WHERE n.vault = s.vault AND n.scope = s.scope
      AND n.name = asked OFFSET 0) AS n $$;
CREATE FUNCTION mdmem.notes_with_id(asked text) RETURNS SETOF mdmem.notes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT n.* FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT n.* FROM mdmem.notes n WHERE n.vault = s.vault AND n.scope = s.scope
      AND n.id = asked OFFSET 0) AS n $$;
CREATE FUNCTION mdmem.hidden(levels text[], scopes text[]) RETURNS SETOF mdmem.notes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT n.* FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT n.* FROM mdmem.notes n WHERE n.vault = s.vault AND n.scope = s.scope
      AND NOT (n.sensitivity = ANY (levels) AND (n.scope = '' OR scopes = '{}' OR n.scope = ANY (scopes))) OFFSET 0) AS n $$;
CREATE FUNCTION mdmem.beside(vaults text[], paths text[], sessions text[], times text[], reach integer) RETURNS TABLE (vault text, path text, before text[], after text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT p.vault, p.path,
    array(SELECT n.path FROM mdmem.seen() s JOIN mdmem.notes n USING (vault, scope)
      WHERE s.vault = p.vault AND n.session = p.session AND n.session <> '' AND n.kind = 'memory'
        AND (n.created, n.path) < (p.created, p.path) ORDER BY n.created DESC, n.path DESC LIMIT reach),
    array(SELECT n.path FROM mdmem.seen() s JOIN mdmem.notes n USING (vault, scope)
      WHERE s.vault = p.vault AND n.session = p.session AND n.session <> '' AND n.kind = 'memory'
        AND (n.created, n.path) > (p.created, p.path) ORDER BY n.created, n.path LIMIT reach)
  FROM unnest(vaults, paths, sessions, times) AS p (vault, path, session, created) $$;
CREATE FUNCTION mdmem.linking(targets text[], asked text) RETURNS TABLE (target text, vault text, path text, line integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT DISTINCT l.target, l.vault, l.path, l.line FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT l.* FROM mdmem.links l WHERE l.vault = s.vault AND l.scope = s.scope
      AND l.target = ANY (targets) OFFSET 0) AS l
  WHERE asked = '' OR l.predicate = asked $$;
CREATE FUNCTION mdmem.traits_of(asked text, asked_key text) RETURNS SETOF mdmem.traits
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.* FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT t.* FROM mdmem.traits t WHERE t.vault = s.vault AND t.scope = s.scope
      AND t.name = asked OFFSET 0) AS t
  WHERE asked_key = '' OR t.key = asked_key $$;
CREATE FUNCTION mdmem.frequencies_of(stems text[]) RETURNS TABLE (stem text, notes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT f.stem, sum(f.notes)::bigint FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT f.* FROM mdmem.frequencies f WHERE f.vault = s.vault AND f.scope = s.scope
      AND f.stem = ANY (stems) OFFSET 0) AS f GROUP BY f.stem $$;
CREATE FUNCTION mdmem.vocabulary(beginnings text[]) RETURNS TABLE (beginning text, stem text, notes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT b.beginning, f.stem, sum(f.notes)::bigint
  FROM unnest(beginnings) AS b (beginning) CROSS JOIN mdmem.seen() s CROSS JOIN LATERAL (
    SELECT f.stem, f.notes FROM mdmem.frequencies f WHERE f.vault = s.vault AND f.scope = s.scope
      AND f.stem >= b.beginning AND f.stem < b.beginning || chr(1114111) OFFSET 0) AS f GROUP BY 1, 2 $$;
CREATE FUNCTION mdmem.created_within(first text, last text, kinds text[], most integer) RETURNS TABLE (vault text, path text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT n.vault, n.path FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT n.* FROM mdmem.notes n WHERE n.vault = s.vault AND n.scope = s.scope
      AND n.created BETWEEN first AND last AND n.kind = ANY (kinds)
    ORDER BY n.created DESC, n.path LIMIT most) AS n
  ORDER BY n.created DESC, n.vault, n.path LIMIT most $$;
CREATE FUNCTION mdmem.years() RETURNS TABLE (first text, last text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT min(o.first), max(o.last) FROM mdmem.seen() s CROSS JOIN LATERAL (
    SELECT min(n.created) AS first, max(n.created) AS last FROM mdmem.notes n
    WHERE n.vault = s.vault AND n.scope = s.scope AND n.created <> '') AS o $$;

CREATE VIEW mdmem.memories AS
SELECT v.name AS vault, n.path, n.name, n.title, n.type, n.status, n.category, n.topic,
  n.tags || n.inline_tags AS tags, n.session,
  CASE WHEN n.created ~ '^[1-9]' THEN n.created::timestamptz END AS created,
  CASE WHEN n.updated ~ '^[1-9]' THEN n.updated::timestamptz END AS updated,
  n.sensitivity, n.scope, n.properties::jsonb AS properties,
  n.body AS text, v.head AS "commit"
FROM mdmem.readable_vaults() v JOIN mdmem.readable_notes('{memory}') n USING (vault);

COMMENT ON TABLE mdmem.about IS 'Which version of mdmem these tables are for. All is derived from git.';
COMMENT ON TABLE mdmem.vaults IS 'The vaults that are published here.';
COMMENT ON COLUMN mdmem.vaults.vault IS 'Id of the vault, from its mdmem.toml.';
COMMENT ON COLUMN mdmem.vaults.name IS 'Display name.';
COMMENT ON COLUMN mdmem.vaults.url IS 'URL that it is pushed to, without user names and passwords.';
COMMENT ON COLUMN mdmem.vaults.folder IS 'Its folder within its repository: empty, or ends with a slash.';
COMMENT ON COLUMN mdmem.vaults.head IS 'The commit that all its rows here are from.';
COMMENT ON COLUMN mdmem.vaults.published IS 'When that commit was published.';
COMMENT ON COLUMN mdmem.vaults.notes IS 'Number of its rows here, memories and others.';
COMMENT ON COLUMN mdmem.vaults.max_sensitivity IS 'Nothing more sensitive than this was published.';
COMMENT ON COLUMN mdmem.vaults.rules IS 'Fingerprint of the settings that rows depend on.';
COMMENT ON COLUMN mdmem.vaults.model IS 'The model of its vectors; empty: it has none.';
COMMENT ON COLUMN mdmem.vaults.numbers IS 'Dimension of its vectors.';
COMMENT ON TABLE mdmem.publishers IS 'Who publishes a vault; its row is locked meanwhile. Readers do not see it.';
COMMENT ON COLUMN mdmem.publishers.hub IS 'The repository of a hub, and the folder in it; empty: clones publish it.';
COMMENT ON TABLE mdmem.grants IS 'Which role may read which vault. An empty list of scopes is all of them.';
COMMENT ON TABLE mdmem.notes IS 'Memories, ingested dialogs (kind entry) and statements in them (kind fact).';
COMMENT ON COLUMN mdmem.notes.path IS 'Path within the vault; for a fact the path of its file, # and its id.';
COMMENT ON COLUMN mdmem.notes.file IS 'The file that the row is from.';
COMMENT ON COLUMN mdmem.notes.lines IS 'The line of the file for each line of the text, where those differ; else empty.';
COMMENT ON COLUMN mdmem.notes.name IS 'File name without .md, folded as links are compared.';
COMMENT ON COLUMN mdmem.notes.status IS 'active, deprecated, contested, retracted ...';
COMMENT ON COLUMN mdmem.notes.inline_tags IS 'Tags within the text, beside those of its properties.';
COMMENT ON COLUMN mdmem.notes.aliases IS 'Further names that its properties give it.';
COMMENT ON COLUMN mdmem.notes.session IS 'Id of the conversation that it came from.';
COMMENT ON COLUMN mdmem.notes.created IS 'RFC 3339 in UTC; from git where the file does not say.';
COMMENT ON COLUMN mdmem.notes.committer IS 'E-mail address, in lower case, of who committed its last version.';
COMMENT ON COLUMN mdmem.notes.properties IS 'Every property of its frontmatter.';
COMMENT ON COLUMN mdmem.notes.life IS 'Those that ranking reads: importance, salience, pinned, decay ...';
COMMENT ON COLUMN mdmem.notes.validity IS 'Those that say when it holds.';
COMMENT ON COLUMN mdmem.notes.body_line IS 'The line of the file (1-based) where the text begins.';
COMMENT ON COLUMN mdmem.notes.digest IS 'Digest of the text of a memory (title and body).';
COMMENT ON COLUMN mdmem.notes.mark IS 'Digest of everything that is published of the row.';
COMMENT ON TABLE mdmem.words IS 'For searching: the words of each row as the local index has them.';
COMMENT ON COLUMN mdmem.words.length IS 'Number of words in all fields.';
COMMENT ON COLUMN mdmem.words.stems IS 'Stem -> number of occurrences, each weighted by its field; the mark of its vault and scope; and :3:STEM for those of tags.';
COMMENT ON COLUMN mdmem.words.places IS 'All stems in order, a line for each field: name, title (aliases), tags, headings ...';
COMMENT ON TABLE mdmem.frequencies IS 'Number of rows of a vault and scope that have a stem.';
COMMENT ON TABLE mdmem.sizes IS 'Number of rows and words of a vault, and bytes of its texts, by scope and kind.';
COMMENT ON TABLE mdmem.links IS 'Links between memories.';
COMMENT ON COLUMN mdmem.links.target IS 'Name of the memory it leads to, folded as links are compared.';
COMMENT ON COLUMN mdmem.links.predicate IS 'mentions, or the property that holds the link: supersedes, derived_from ...';
COMMENT ON TABLE mdmem.traits IS 'Keys by which memories are looked up, besides words and properties.';
COMMENT ON FUNCTION mdmem.count_words(text, text[], integer) IS 'For publishers: adds the words of rows to the counts.';
COMMENT ON FUNCTION mdmem.asking() IS 'The role that asks, also within functions that run with the rights of their owner.';
COMMENT ON FUNCTION mdmem.seen() IS 'The vaults, and the scopes in them, that the role that asks may read.';
COMMENT ON FUNCTION mdmem.mark(text, text) IS 'The key that all rows of a vault and scope have among their stems.';
COMMENT ON FUNCTION mdmem.marks() IS 'The marks of what the role may read, NULL if they are many.';
COMMENT ON FUNCTION mdmem.says_all(text[]) IS 'Whether each stem is in a row that the role may read.';
COMMENT ON FUNCTION mdmem.spoken(text, integer) IS 'The stems of a row, or of one field of it (from 1), between spaces.';
COMMENT ON FUNCTION mdmem.best(text[], integer, text[], text[], text[], integer) IS 'Rows that have one of the rarest stems, best first by BM25 over all stems.';
COMMENT ON FUNCTION mdmem.saying(text[], integer[], float8[]) IS 'The rows that say phrases, anywhere or in a field (from 1), and how often, weighted by field.';
COMMENT ON FUNCTION mdmem.number_saying(text, integer) IS 'How many rows say a phrase.';
COMMENT ON FUNCTION mdmem.readable_vaults() IS 'The vaults that the role may read.';
COMMENT ON FUNCTION mdmem.readable_sizes() IS 'Their sizes.';
COMMENT ON FUNCTION mdmem.readable_notes(text[]) IS 'Their rows.';
COMMENT ON FUNCTION mdmem.notes_at(text[], text[]) IS 'The rows at some places.';
COMMENT ON FUNCTION mdmem.notes_called(text) IS 'The rows of a name.';
COMMENT ON FUNCTION mdmem.notes_with_id(text) IS 'The rows of an id.';
COMMENT ON FUNCTION mdmem.hidden(text[], text[]) IS 'The rows that a clearance hides of those that the role may read.';
COMMENT ON FUNCTION mdmem.beside(text[], text[], text[], text[], integer) IS 'The memories of a session just before and after some.';
COMMENT ON FUNCTION mdmem.linking(text[], text) IS 'The links to memories of some names, by one predicate or any.';
COMMENT ON FUNCTION mdmem.traits_of(text, text) IS 'The traits of a name, and of a key.';
COMMENT ON FUNCTION mdmem.frequencies_of(text[]) IS 'How many rows have some stems.';
COMMENT ON FUNCTION mdmem.vocabulary(text[]) IS 'The stems that begin so, and how many rows have them.';
COMMENT ON FUNCTION mdmem.created_within(text, text, text[], integer) IS 'The rows of a time, the latest first.';
COMMENT ON FUNCTION mdmem.years() IS 'When the first row was made, and the last.';
