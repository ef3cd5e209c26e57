-- What each operator's connections bind to: receipts come by any session of an SMSC account, and several operators may
-- share one. What an operator was bound to before is remembered for a while, since receipts of that time still come.
CREATE TABLE operator_accounts (
  operator TEXT NOT NULL,
  -- system_id@host:port
  account TEXT NOT NULL,
  -- When it was first found not to be configured any more; NULL while it is.
  left_at INTEGER,
  -- Receipts that were parked before this row was written have been tried again.
  is_swept INTEGER NOT NULL DEFAULT 0 CHECK (is_swept IN (0, 1)),
  PRIMARY KEY (operator, account)
) STRICT, WITHOUT ROWID;

-- The highest number that a parked receipt had when the submit left: only receipts above it can be about it. NULL of
-- what was not noted.
ALTER TABLE parts ADD COLUMN parked_before INTEGER;
ALTER TABLE unaccepted_submits ADD COLUMN parked_before INTEGER;

-- Their numbers tell the order in which receipts came and submits left, so none is ever given twice.
CREATE TABLE parked_receipts_in_order (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operator TEXT NOT NULL,
  smsc_id TEXT NOT NULL,
  smsc_key TEXT NOT NULL,
  msisdn TEXT NOT NULL,
  other_number TEXT NOT NULL,
  -- The end of the handset's number; NULL where it has none, and where the receipt names no message.
  number_key TEXT,
  state TEXT NOT NULL,
  raw_state TEXT NOT NULL,
  operator_code TEXT,
  received_at INTEGER NOT NULL,
  -- esm_class or optional parameters said that it is a receipt, not only its text.
  is_marked INTEGER NOT NULL CHECK (is_marked IN (0, 1)),
  text TEXT,
  connection INTEGER,
  sequence INTEGER
) STRICT;
INSERT INTO parked_receipts_in_order
  SELECT id, operator, smsc_id, smsc_key, msisdn, other_number, number_key, state, raw_state, operator_code,
    received_at, is_marked, text, connection, sequence
  FROM parked_receipts ORDER BY id;
DROP TABLE parked_receipts;
ALTER TABLE parked_receipts_in_order RENAME TO parked_receipts;
CREATE INDEX parked_receipts_by_smsc_key ON parked_receipts (operator, smsc_key);
CREATE INDEX parked_receipts_by_number ON parked_receipts (operator, number_key) WHERE number_key IS NOT NULL;
CREATE INDEX parked_receipts_by_age ON parked_receipts (received_at);
