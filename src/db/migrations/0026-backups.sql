-- Backups that were made of this database, by the path they were given. A file may be gone, and others may lie beside it.
CREATE TABLE backups (
  file TEXT PRIMARY KEY,
  made_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  schema INTEGER NOT NULL,
  -- When it was last found sound, when it was last restored for a trial, and why the last look failed; NULL where it did not.
  verified_at INTEGER,
  drilled_at INTEGER,
  failure TEXT
) STRICT, WITHOUT ROWID;
