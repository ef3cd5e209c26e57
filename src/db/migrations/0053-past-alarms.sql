-- Alarms since when, until when: what lasted longer ago than an hour is known no more from the alarms that last.
CREATE TABLE past_alarms (
  id INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  since INTEGER NOT NULL,
  -- NULL while it lasts.
  ended_at INTEGER,
  -- JSON: what its words are made of.
  facts TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX past_alarms_lasting ON past_alarms (rule, subject) WHERE ended_at IS NULL;

INSERT INTO past_alarms (rule, subject, since, facts) SELECT rule, subject, since, facts FROM alarms WHERE is_firing = 1;
