-- Each address of a channel has a letter of its own, which stays for a while once it was told. What waited in the
-- older form, which no release had, is let go: an alarm that lasts is told again within a day.
DROP TABLE alarm_letters;

CREATE TABLE alarm_letters (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  -- The address; '' of a channel that has a single one.
  recipient TEXT NOT NULL,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'start' OR state = 'repeat' OR state = 'end'),
  since INTEGER NOT NULL,
  -- JSON: what its words are made of.
  facts TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Why the last attempt failed.
  error TEXT,
  -- NULL while it waits.
  outcome TEXT CHECK (outcome = 'told' OR outcome = 'joined' OR outcome = 'dropped' OR outcome = 'given up'),
  ended_at INTEGER
) STRICT;

CREATE INDEX alarm_letters_waiting ON alarm_letters (channel, id) WHERE outcome IS NULL;

CREATE INDEX alarm_letters_ended ON alarm_letters (ended_at) WHERE ended_at IS NOT NULL;
