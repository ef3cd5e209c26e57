-- A repetition is looked up by number and text, a cap by number among marketing: a number that gets 20,000 texts a day costs what
-- any other does.
CREATE TABLE sends_by_text (
  -- A hash of account and number; the message tells whether it is really them.
  recipient_key INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- A hash of the rendered text.
  text_key INTEGER NOT NULL,
  planned_at INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (recipient_key, is_marketing, text_key, planned_at, message_id)
) STRICT, WITHOUT ROWID;
INSERT INTO sends_by_text (recipient_key, is_marketing, text_key, planned_at, message_id)
SELECT recipient_key, is_marketing, text_key, planned_at, message_id FROM recent_sends;
DROP TABLE recent_sends;
ALTER TABLE sends_by_text RENAME TO recent_sends;
CREATE INDEX recent_sends_by_age ON recent_sends (is_marketing, planned_at);
