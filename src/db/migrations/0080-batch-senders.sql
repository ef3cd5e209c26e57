-- Which user of the console wrote and sent a batch. A batch of a client, of a command, or of texts that are sent again has no row.
CREATE TABLE batch_senders (
  batch_id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX batch_senders_by_user ON batch_senders (user_id);
