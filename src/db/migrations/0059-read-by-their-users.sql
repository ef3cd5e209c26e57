-- When the user read a message, where its channel tells it, epoch milliseconds. No row: not read, or nobody told.
CREATE TABLE message_reads (
  message_id INTEGER PRIMARY KEY,
  read_at INTEGER NOT NULL
) STRICT;
