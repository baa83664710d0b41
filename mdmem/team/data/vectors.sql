-- The table of vectors, where the server has pgvector; those of a vault are of one model, and publishing makes an
-- index for each dimension.
CREATE TABLE mdmem.vectors (
  vault text NOT NULL, path text NOT NULL, passage integer NOT NULL, scope text NOT NULL, digest bytea NOT NULL,
  vector halfvec NOT NULL
);
CREATE UNIQUE INDEX ON mdmem.vectors (vault, path, passage);
ALTER TABLE mdmem.vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON mdmem.vectors FOR SELECT USING ((vault, scope) IN (SELECT s.vault, s.scope FROM mdmem.seen() s));
COMMENT ON TABLE mdmem.vectors IS 'What memories mean, for models that were switched on in vaults.';
