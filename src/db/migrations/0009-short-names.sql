-- What people type in place of an account's id. NULL for none.
ALTER TABLE accounts ADD COLUMN short_name TEXT
  CHECK (length(short_name) BETWEEN 2 AND 20 AND short_name NOT GLOB '*[^a-z0-9-]*');
CREATE UNIQUE INDEX accounts_by_short_name ON accounts (short_name) WHERE short_name IS NOT NULL;
