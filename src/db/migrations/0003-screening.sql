-- What went to whom lately, for the guards against repetition. Kept for eight days past the planned time.
CREATE TABLE recent_sends (
  -- A hash of account and number; the message tells whether it is really them.
  recipient_key INTEGER NOT NULL,
  planned_at INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  -- A hash of the rendered text.
  text_key INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  PRIMARY KEY (recipient_key, planned_at, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recent_sends_by_age ON recent_sends (planned_at);

-- Recipients accepted, per account and span: 'D' a calendar day of the account's zone, 'S' a second. `starts_at` is
-- when the span begins.
CREATE TABLE recipient_counts (
  account_id INTEGER NOT NULL,
  span TEXT NOT NULL CHECK (span IN ('D', 'S')),
  starts_at INTEGER NOT NULL,
  recipients INTEGER NOT NULL CHECK (recipients >= 0),
  PRIMARY KEY (account_id, span, starts_at)
) STRICT, WITHOUT ROWID;

-- The recipients of a batch that is validated after its 202, in pieces that are read one at a time.
CREATE TABLE submitted_recipients (
  batch_id INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  -- A JSON array of {msisdn, attributes}.
  recipients TEXT NOT NULL,
  PRIMARY KEY (batch_id, piece)
) STRICT, WITHOUT ROWID;
