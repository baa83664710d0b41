-- The table of vectors, where the server has pgvector; those of a vault are of one model, and publishing makes an
-- index for each vault and dimension: a search looks at no vault that the reader may not see.
CREATE TABLE mdmem.vectors (
  vault text NOT NULL, path text NOT NULL, passage integer NOT NULL, scope text NOT NULL, digest bytea NOT NULL,
  vector halfvec NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.vectors (vault, scope, path, passage);
COMMENT ON TABLE mdmem.vectors IS 'What memories mean, for models that were switched on in vaults.';
SELECT set_config('search_path', 'pg_catalog, ' || quote_ident(s.nspname) || ', pg_temp', true)
FROM pg_extension e JOIN pg_namespace s ON s.oid = e.extnamespace WHERE e.extname = 'vector';
CREATE FUNCTION mdmem.nearest(asked text, numbers integer, most integer) RETURNS TABLE (vault text, path text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
  RETURN QUERY EXECUTE (
    SELECT 'SELECT n.vault, n.path FROM (' || coalesce(string_agg(format('(
      SELECT v.vault, v.path, v.vector::halfvec(%1$s) <=> $1::halfvec(%1$s) AS far FROM mdmem.vectors v
      WHERE vector_dims(v.vector) = %1$s AND v.vault = %2$L AND v.scope = ANY (%3$L)
      ORDER BY v.vector::halfvec(%1$s) <=> $1::halfvec(%1$s) LIMIT $2)', numbers, s.vault, s.scopes), ' UNION ALL '),
      'SELECT '''' AS vault, '''' AS path, 0 AS far LIMIT 0') || ') AS n ORDER BY n.far, n.vault, n.path LIMIT $2'
    FROM (SELECT o.vault, array_agg(o.scope) AS scopes FROM mdmem.seen() o GROUP BY o.vault) AS s)
  USING asked, most; END $$;
CREATE FUNCTION mdmem.cosines(asked text, numbers integer, vaults text[], paths text[])
RETURNS TABLE (vault text, path text, cosine float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
  RETURN QUERY EXECUTE format('SELECT v.vault, v.path, 1 - (v.vector::halfvec(%1$s) <=> $1::halfvec(%1$s))
    FROM unnest($2, $3) AS p (vault, path) JOIN mdmem.seen() s ON s.vault = p.vault CROSS JOIN LATERAL (
      SELECT o.* FROM mdmem.vectors o WHERE o.vault = s.vault AND o.scope = s.scope AND o.path = p.path OFFSET 0) AS v
    ORDER BY v.vault, v.path, v.passage', numbers) USING asked, vaults, paths; END $$;
COMMENT ON FUNCTION mdmem.nearest(text, integer, integer) IS 'The passages nearest to a vector.';
COMMENT ON FUNCTION mdmem.cosines(text, integer, text[], text[]) IS 'How near the passages of some rows are to it.';
