-- What a restore holds back is held by message and operator: also by one that the message may be handed to only later.
ALTER TABLE restores ADD COLUMN last_batch_id INTEGER NOT NULL DEFAULT 0;

-- Messages that may have left by an operator after the copy was made, and of which that is not decided.
CREATE TABLE held_messages (
  message_id INTEGER NOT NULL,
  operator TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  -- 1: it was with that operator in the copy, and nobody has decided since.
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight IN (0, 1)),
  -- 1: it came to the operator's queue after the decision, which is to be carried out.
  is_due INTEGER NOT NULL DEFAULT 0 CHECK (is_due IN (0, 1)),
  PRIMARY KEY (message_id, operator)
) STRICT, WITHOUT ROWID;

CREATE INDEX held_messages_of_batch ON held_messages (batch_id, operator);
CREATE INDEX held_messages_due ON held_messages (message_id) WHERE is_due = 1;

-- Batches that were not validated in the copy: their messages come later.
CREATE TABLE held_batches (
  batch_id INTEGER PRIMARY KEY
) STRICT;

-- What was decided since the newest restore, in its order: the last that fits a class and an operator counts.
CREATE TABLE restore_decisions (
  id INTEGER PRIMARY KEY,
  -- NULL: every class; every operator.
  message_class TEXT,
  operator TEXT,
  waiting TEXT NOT NULL CHECK ((waiting = 'hold' OR waiting = 'policy' OR waiting = 'send' OR waiting = 'give-up')),
  died_at INTEGER NOT NULL,
  -- 0: it is being carried out for what waits.
  is_done INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1))
) STRICT;

UPDATE restores SET last_batch_id = (SELECT coalesce(max(id), 0) FROM batches);

INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
SELECT m.id, m.operator, m.batch_id FROM held_places h
CROSS JOIN messages m ON m.batch_id = h.batch_id AND m.operator = h.operator AND m.status = 'QUEUED' AND m.id > h.decided_through;

INSERT INTO held_batches (batch_id) SELECT DISTINCT batch_id FROM held_places WHERE operator = '';

INSERT OR REPLACE INTO held_messages (message_id, operator, batch_id, in_flight)
SELECT m.id, m.operator, m.batch_id, 1 FROM held_flights f CROSS JOIN messages m ON m.id = f.message_id WHERE m.is_final = 0;

-- Of a restore that nobody has decided at all, everything that is not final.
INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
SELECT m.id, m.operator, m.batch_id FROM restores r CROSS JOIN batches b CROSS JOIN messages m
WHERE r.resumed_at IS NULL AND b.unfinished > 0 AND b.status NOT IN ('STAGING', 'VALIDATING', 'FAILED')
  AND m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted
  AND m.batch_id = b.id AND +m.is_final = 0 AND m.account_id > 0;

INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
SELECT s.message_id, s.operator, s.batch_id FROM restores r CROSS JOIN second_ways s CROSS JOIN messages m ON m.id = s.message_id
WHERE r.resumed_at IS NULL AND s.is_open = 1 AND s.stage = 'FIRST' AND m.account_id > 0;

DROP TABLE held_places;
DROP TABLE held_flights;
