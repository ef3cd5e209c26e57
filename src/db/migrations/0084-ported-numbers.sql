-- Whose numbers are, said of a number or a prefix, before the configured prefixes are asked.
CREATE TABLE ported_imports (
  -- A larger one is newer. 0 is none: it stands for what is set by hand.
  id INTEGER PRIMARY KEY CHECK (id > 0),
  source TEXT,
  state TEXT NOT NULL CHECK (state IN ('STAGING', 'VALID', 'REPLACED')),
  valid_at INTEGER,
  -- How many there were in it.
  numbers INTEGER NOT NULL DEFAULT 0,
  prefixes INTEGER NOT NULL DEFAULT 0,
  -- Whether the rows that it overtook are gone.
  is_swept INTEGER NOT NULL DEFAULT 0 CHECK (is_swept IN (0, 1)),
  CHECK ((state = 'STAGING') = (valid_at IS NULL))
) STRICT;
CREATE INDEX ported_imports_unswept ON ported_imports (id) WHERE is_swept = 0;

-- A few operators, so that a row of a million names a small number, and `operator rename` changes one row.
CREATE TABLE ported_owners (
  id INTEGER PRIMARY KEY,
  -- NULL: no operator sends to it.
  operator TEXT
) STRICT;

CREATE TABLE ported_numbers (
  -- E.164 without "+".
  digits TEXT NOT NULL,
  is_prefix INTEGER NOT NULL CHECK (is_prefix IN (0, 1)),
  -- 0: set by hand.
  import_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  -- When it was set by hand; NULL in an import, which has its own time.
  since INTEGER,
  PRIMARY KEY (digits, is_prefix, import_id),
  CHECK ((import_id = 0) = (since IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX ported_prefixes ON ported_numbers (digits, owner_id) WHERE is_prefix = 1;
CREATE INDEX ported_overrides ON ported_numbers (digits) WHERE import_id = 0;

-- Changes with everything that decides whose a number is, so that what was read of it is known to be stale. No row: nothing ever did.
CREATE TABLE ported_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
