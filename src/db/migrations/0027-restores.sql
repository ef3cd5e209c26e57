-- Restores of this database from a backup. Until the first `resumed_at` nothing new is accepted and nothing is sent.
CREATE TABLE restores (
  id INTEGER PRIMARY KEY,
  restored_at INTEGER NOT NULL,
  -- The backup: its file, and the moment it holds.
  file TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- The highest number that a parked receipt, and a note, had in the copy.
  parked_before INTEGER NOT NULL,
  notes_before INTEGER NOT NULL,
  resumed_at INTEGER
) STRICT;

-- What waited in the copy and may have left since: a batch and the operator it waits for; '' while it is not validated.
CREATE TABLE held_places (
  batch_id INTEGER NOT NULL,
  operator TEXT NOT NULL,
  -- Messages up to this one have been decided.
  decided_through INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (batch_id, operator)
) STRICT, WITHOUT ROWID;

-- What was with an operator in the copy, and goes by the rule of its class once that is decided.
CREATE TABLE held_flights (
  message_id INTEGER PRIMARY KEY
) STRICT;
