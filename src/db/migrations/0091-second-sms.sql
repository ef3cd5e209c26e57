-- OTPs that may be sent once more by another route, since nothing was heard of them, or that are just now.
CREATE TABLE second_sms (
  message_id INTEGER PRIMARY KEY,
  operator TEXT NOT NULL,
  route TEXT NOT NULL,
  due_at INTEGER,
  attempt INTEGER,
  begun_at INTEGER,
  CHECK ((due_at IS NULL) = (attempt IS NOT NULL)),
  CHECK ((attempt IS NULL) = (begun_at IS NULL))
) STRICT;
CREATE INDEX second_sms_begun ON second_sms (message_id) WHERE due_at IS NULL;
CREATE INDEX second_sms_due ON second_sms (operator, due_at) WHERE due_at IS NOT NULL;
