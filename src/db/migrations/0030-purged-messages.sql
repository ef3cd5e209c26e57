-- Money is never purged: what the messages of a batch that are gone came to, by operator and price. Together with those that
-- are still there they make the figures of the batch.
CREATE TABLE purged_lines (
  batch_id INTEGER NOT NULL,
  operator TEXT NOT NULL,
  -- Of one segment.
  price INTEGER NOT NULL,
  messages INTEGER NOT NULL CHECK (messages > 0),
  segments INTEGER NOT NULL,
  -- Of what they cost whole; the rest was released.
  charged INTEGER NOT NULL CHECK (charged >= 0),
  PRIMARY KEY (batch_id, operator, price)
) STRICT, WITHOUT ROWID;

-- How far passes over what only grows have come: everything of an account up to a place was looked at.
CREATE TABLE pass_marks (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  pass TEXT NOT NULL,
  -- A feed stamp, or the time a batch was accepted; and the row among those of one time.
  at INTEGER NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass)
) STRICT, WITHOUT ROWID;
