-- What the guards remember is first written as it comes, a row for messages whose ids follow each other: by recipient, each of them
-- would write a page of its own. From here they go into recent_sends, many at once in its order.
CREATE TABLE send_runs (
  first_message_id INTEGER PRIMARY KEY,
  planned_at INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- For each message a hash of account and number and one of the rendered text: two IEEE 754 doubles, the lowest octet first.
  keys BLOB NOT NULL CHECK (length(keys) > 0 AND length(keys) % 16 = 0)
) STRICT;
