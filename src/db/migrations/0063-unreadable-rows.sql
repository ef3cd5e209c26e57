-- Rows of the file that a batch was sent out of that are no recipients: nothing was sent for them, and nobody else knows of them.
CREATE TABLE unreadable_rows (
  batch_id INTEGER NOT NULL,
  -- Where the row stands in the file, from 1.
  line INTEGER NOT NULL,
  -- What stands in the place of its number.
  written TEXT NOT NULL,
  -- The number that people would look for it by; NULL where nobody can tell.
  msisdn TEXT,
  -- Why it is no recipient, in English.
  cause TEXT NOT NULL,
  -- JSON: what the tags of the text would be filled in with; NULL: nothing, or no longer.
  attributes TEXT,
  client_reference TEXT,
  PRIMARY KEY (batch_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX unreadable_rows_by_number ON unreadable_rows (msisdn, batch_id) WHERE msisdn IS NOT NULL;

-- How many there were; the rows are the first of them.
ALTER TABLE batches ADD COLUMN unreadable INTEGER NOT NULL DEFAULT 0 CHECK (unreadable >= 0);
