-- Operators that are not coming back: what waits for them is given up, also what comes back to the queue later.
CREATE TABLE operators_retired (
  code TEXT PRIMARY KEY,
  retired_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
