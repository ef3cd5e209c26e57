-- What lasts of what somebody should know, and what was told of it, so that a restart tells nothing twice.
CREATE TABLE alarms (
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  since INTEGER NOT NULL,
  is_firing INTEGER NOT NULL CHECK (is_firing IN (0, 1)),
  -- When somebody was told last; NULL where nobody was.
  told_at INTEGER,
  -- When it was over; NULL while it lasts.
  cleared_at INTEGER,
  -- JSON: when it started within the last hour, and what its words are made of.
  starts TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (rule, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE alarm_silences (
  rule TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is still to be told, by channel; a row is gone once it was taken, or given up.
CREATE TABLE alarm_letters (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL
) STRICT;

-- What became of messages by operator and hour, for the share of those that are delivered.
CREATE TABLE delivery_hours (
  operator TEXT NOT NULL,
  hour INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (operator, hour)
) STRICT, WITHOUT ROWID;

CREATE INDEX wallets_low ON wallets (account_id) WHERE is_low = 1;
