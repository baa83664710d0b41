-- The tables of a team's index, its functions, the policies for readers, and what all that is for.
-- No statistics are kept of texts: EXPLAIN could reveal values of rows that the reader may not see.
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
CREATE UNIQUE INDEX ON mdmem.notes (vault, path);
CREATE INDEX ON mdmem.notes (name) WHERE kind = 'memory';
CREATE INDEX ON mdmem.notes (id);
CREATE INDEX ON mdmem.notes (vault, file);
CREATE INDEX ON mdmem.notes (created);
CREATE INDEX ON mdmem.notes (session, created, path) WHERE session <> '' AND kind = 'memory';
ALTER TABLE mdmem.notes ALTER title SET STATISTICS 0;
ALTER TABLE mdmem.notes ALTER body SET STATISTICS 0;

CREATE TABLE mdmem.words (
  vault text NOT NULL, path text NOT NULL, kind text NOT NULL, scope text NOT NULL, created text NOT NULL,
  length integer NOT NULL, stems jsonb NOT NULL, places text NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.words (vault, path);
CREATE INDEX ON mdmem.words USING gin (stems);
ALTER TABLE mdmem.words ALTER places SET STATISTICS 0;

CREATE TABLE mdmem.frequencies (
  vault text NOT NULL, scope text NOT NULL, stem text COLLATE "C" NOT NULL, notes integer NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.frequencies (vault, scope, stem);
CREATE INDEX ON mdmem.frequencies (stem);

CREATE TABLE mdmem.sizes (
  vault text NOT NULL, scope text NOT NULL, kind text NOT NULL, notes integer NOT NULL, words bigint NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.sizes (vault, scope, kind);

CREATE TABLE mdmem.links (
  vault text NOT NULL, path text NOT NULL, scope text NOT NULL, target text NOT NULL,
  predicate text NOT NULL, line integer NOT NULL
);
CREATE INDEX ON mdmem.links (vault, path);
CREATE INDEX ON mdmem.links (target);

CREATE TABLE mdmem.traits (
  vault text NOT NULL, path text NOT NULL, scope text NOT NULL, name text NOT NULL, key text NOT NULL,
  value text NOT NULL, detail text NOT NULL
);
CREATE INDEX ON mdmem.traits (vault, path);
CREATE INDEX ON mdmem.traits (name, key);

-- Adds the words of some rows to the counts, or takes them off with -1.
CREATE FUNCTION mdmem.count_words(counted text, paths text[], sign integer) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO mdmem.frequencies AS f (vault, scope, stem, notes)
  SELECT w.vault, w.scope, s.stem, sign * count(*) FROM mdmem.words w CROSS JOIN jsonb_object_keys(w.stems) AS s (stem)
  WHERE w.vault = counted AND w.path = ANY (paths) GROUP BY 1, 2, 3
  ON CONFLICT (vault, scope, stem) DO UPDATE SET notes = f.notes + excluded.notes; INSERT INTO mdmem.sizes AS s (vault, scope, kind, notes, words)
  SELECT w.vault, w.scope, w.kind, sign * count(*), sign * sum(w.length) FROM mdmem.words w
  WHERE w.vault = counted AND w.path = ANY (paths) GROUP BY 1, 2, 3
  ON CONFLICT (vault, scope, kind) DO UPDATE SET notes = s.notes + excluded.notes, words = s.words + excluded.words $$;
CREATE FUNCTION mdmem.asking() RETURNS name LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role')::name END $$;
CREATE FUNCTION mdmem.seen() RETURNS TABLE (vault text, scope text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH granted AS (
    SELECT g.vault, g.scopes FROM mdmem.grants g JOIN pg_roles r ON r.rolname = g.reader
    WHERE pg_has_role(mdmem.asking(), r.oid, 'USAGE')
    UNION ALL
    SELECT v.vault, '{}' FROM mdmem.vaults v WHERE pg_has_role(mdmem.asking(), current_user, 'USAGE'))
  SELECT g.vault, '' FROM granted g
  UNION
  SELECT s.vault, s.scope FROM mdmem.sizes s JOIN granted g ON g.vault = s.vault
  WHERE g.scopes = '{}' OR s.scope = ANY (g.scopes) $$;
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
    FROM mdmem.sizes z WHERE (z.vault, z.scope) IN (SELECT s.vault, s.scope FROM seen s)),
  known AS (
    SELECT f.stem, sum(f.notes)::float8 AS notes FROM mdmem.frequencies f
    WHERE f.stem = ANY (asked) AND (f.vault, f.scope) IN (SELECT s.vault, s.scope FROM seen s) GROUP BY f.stem),
  ranked AS (
    SELECT k.stem, greatest(ln((w.notes - k.notes + 0.5) / (k.notes + 0.5)), 1e-6) AS rarity,
      row_number() OVER rarest AS place, sum(k.notes) OVER rarest AS so_far
    FROM known k CROSS JOIN whole w WINDOW rarest AS (ORDER BY k.notes, k.stem ROWS UNBOUNDED PRECEDING)),
  chosen AS (
    SELECT array_agg(k.stem) AS stems, array_agg(k.rarity) AS rarities,
      array_agg(k.stem) FILTER (WHERE most IS NULL OR k.place = 1 OR k.so_far <= weighed) AS rarest
    FROM ranked k)
  SELECT r.vault, r.path
  FROM chosen c CROSS JOIN whole a JOIN mdmem.words r ON r.stems ?| c.rarest
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
  CROSS JOIN LATERAL (SELECT string_to_array(p.phrase, ' ') AS stems) AS s
  JOIN mdmem.words r ON r.stems ?& s.stems
    AND strpos(mdmem.spoken(r.places, p.field), ' ' || p.phrase || ' ') > 0
  WHERE (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s) $$;
CREATE FUNCTION mdmem.number_saying(phrase text, field integer) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*) FROM mdmem.words r
  WHERE r.stems ?& string_to_array(phrase, ' ')
    AND strpos(mdmem.spoken(r.places, field), ' ' || phrase || ' ') > 0
    AND (r.vault, r.scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s) $$;

ALTER TABLE mdmem.notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.notes FOR SELECT USING ((vault, scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s));
ALTER TABLE mdmem.words ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.words FOR SELECT USING ((vault, scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s));
ALTER TABLE mdmem.frequencies ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.frequencies FOR SELECT USING ((vault, scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s));
ALTER TABLE mdmem.sizes ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.sizes FOR SELECT USING ((vault, scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s));
ALTER TABLE mdmem.links ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.links FOR SELECT USING ((vault, scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s));
ALTER TABLE mdmem.traits ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.traits FOR SELECT USING ((vault, scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s));
ALTER TABLE mdmem.vaults ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.vaults FOR SELECT USING (vault IN (SELECT s.vault FROM mdmem.seen() s));

CREATE VIEW mdmem.memories WITH (security_invoker = true) AS
SELECT v.name AS vault, n.path, n.name, n.title, n.type, n.status, n.category, n.topic,
  n.tags || n.inline_tags AS tags, n.session,
  CASE WHEN n.created ~ '^[1-9]' THEN n.created::timestamptz END AS created,
  CASE WHEN n.updated ~ '^[1-9]' THEN n.updated::timestamptz END AS updated,
  n.sensitivity, n.scope, n.properties::jsonb AS properties,
  n.body AS text, v.head AS "commit"
FROM mdmem.vaults v JOIN mdmem.notes n USING (vault) WHERE n.kind = 'memory';

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
COMMENT ON COLUMN mdmem.words.stems IS 'Stem -> number of occurrences, each weighted by its field.';
COMMENT ON COLUMN mdmem.words.places IS 'All stems in order, a line for each field: name, title (aliases), tags, headings ...';
COMMENT ON TABLE mdmem.frequencies IS 'Number of rows of a vault and scope that have a stem.';
COMMENT ON TABLE mdmem.sizes IS 'Number of rows and words of a vault, by scope and kind.';
COMMENT ON TABLE mdmem.links IS 'Links between memories.';
COMMENT ON COLUMN mdmem.links.target IS 'Name of the memory it leads to, folded as links are compared.';
COMMENT ON COLUMN mdmem.links.predicate IS 'mentions, or the property that holds the link: supersedes, derived_from ...';
COMMENT ON TABLE mdmem.traits IS 'Keys by which memories are looked up, besides words and properties.';
COMMENT ON FUNCTION mdmem.count_words(text, text[], integer) IS 'For publishers: adds the words of rows to the counts.';
COMMENT ON FUNCTION mdmem.asking() IS 'The role that asks, also within functions that run with the rights of their owner.';
COMMENT ON FUNCTION mdmem.seen() IS 'The vaults, and the scopes in them, that the role that asks may read.';
COMMENT ON FUNCTION mdmem.spoken(text, integer) IS 'The stems of a row, or of one field of it (from 1), between spaces.';
COMMENT ON FUNCTION mdmem.best(text[], integer, text[], text[], text[], integer) IS 'Rows that have one of the rarest stems, best first by BM25 over all stems.';
COMMENT ON FUNCTION mdmem.saying(text[], integer[], float8[]) IS 'The rows that say phrases, anywhere or in a field (from 1), and how often, weighted by field.';
COMMENT ON FUNCTION mdmem.number_saying(text, integer) IS 'How many rows say a phrase.';
