ALTER TABLE smpp_receipts RENAME TO smpp_receipts_before;
-- What is to be delivered to a user until it was taken or given up: a receipt, of what was answered of a message or of a part that became
-- none, or a text that came in, which has nothing else.
CREATE TABLE smpp_receipts (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL,
  follow_id INTEGER,
  part_id INTEGER,
  inbound_id INTEGER,
  state TEXT,
  error TEXT,
  done_at INTEGER,
  first_due_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  CHECK ((follow_id IS NOT NULL) + (part_id IS NOT NULL) + (inbound_id IS NOT NULL) = 1),
  CHECK ((state IS NULL) = (inbound_id IS NOT NULL)),
  CHECK ((error IS NULL) = (inbound_id IS NOT NULL)),
  CHECK ((done_at IS NULL) = (inbound_id IS NOT NULL))
) STRICT;
INSERT INTO smpp_receipts (id, user_id, follow_id, part_id, state, error, done_at, first_due_at, due_at, attempts)
  SELECT id, user_id, follow_id, part_id, state, error, done_at, first_due_at, due_at, attempts FROM smpp_receipts_before;
DROP TABLE smpp_receipts_before;
CREATE INDEX smpp_receipts_due ON smpp_receipts (user_id, due_at);
CREATE INDEX smpp_receipts_of_follow ON smpp_receipts (follow_id) WHERE follow_id IS NOT NULL;
CREATE INDEX smpp_receipts_of_part ON smpp_receipts (part_id) WHERE part_id IS NOT NULL;
CREATE INDEX smpp_receipts_of_text ON smpp_receipts (inbound_id) WHERE inbound_id IS NOT NULL;
CREATE INDEX smpp_receipts_by_age ON smpp_receipts (user_id, first_due_at);
-- Users to whom texts that come in are delivered: few, or none.
CREATE INDEX smpp_users_inbound ON smpp_users (account_id) WHERE has_inbound = 1 AND revoked_at IS NULL;
