-- An answer that is kept for a repetition is written behind the one before it. Keys are whatever clients make up, so a row that stood in
-- their order, answer and all, took a page of the log to itself, and nearly a second one when that page was full. Only the key does now. What is oldest comes first, and needs no index.
CREATE TABLE replies_in_order (
  id INTEGER PRIMARY KEY,
  api_key_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_sha256 BLOB NOT NULL,
  status INTEGER NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (api_key_id, idempotency_key)
) STRICT;
INSERT INTO replies_in_order (api_key_id, idempotency_key, body_sha256, status, response, created_at)
SELECT api_key_id, idempotency_key, body_sha256, status, response, created_at FROM idempotency_records ORDER BY created_at;
DROP TABLE idempotency_records;
ALTER TABLE replies_in_order RENAME TO idempotency_records;
