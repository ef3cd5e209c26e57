-- What clients call their batches and recipients. A batch without a name pays one byte, a message nothing: those with one have a
-- row of their own here, which nothing moves.
ALTER TABLE batches ADD COLUMN client_reference TEXT;
ALTER TABLE rejections ADD COLUMN client_reference TEXT;
CREATE INDEX batches_by_reference ON batches (account_id, client_reference, created_at)
  WHERE client_reference IS NOT NULL;
CREATE TABLE message_references (
  message_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  client_reference TEXT NOT NULL
) STRICT;
CREATE INDEX message_references_by_name ON message_references (account_id, client_reference);
