-- What searches of the administration go by. All of it is made of the messages themselves, beside the sending and after it, and may
-- be dropped and made again: no statement is added to those that a message costs.

-- What messages have in common that a search may ask for.
CREATE TABLE search_facets (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  sender TEXT NOT NULL,
  message_class TEXT NOT NULL,
  operator TEXT NOT NULL,
  status TEXT NOT NULL,
  -- '' is none.
  error_code TEXT NOT NULL,
  UNIQUE (account_id, sender, message_class, operator, status, error_code)
) STRICT;

-- A row for messages block * 1024 to block * 1024 + 1023.
CREATE TABLE search_blocks (
  block INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL,
  -- Something of them was written since the row was.
  is_stale INTEGER NOT NULL CHECK (is_stale IN (0, 1)),
  -- Ids of search_facets, 32 bits each, the lowest octet first.
  facets BLOB NOT NULL
) STRICT;
CREATE INDEX search_blocks_stale ON search_blocks (block) WHERE is_stale = 1;

-- The numbers of messages run * 32768 to run * 32768 + 32767, by a hash: in each entry the message's place in the run and 16 bits
-- more of the hash, 16 bits each, the lowest octet first.
CREATE TABLE search_numbers (
  bucket INTEGER NOT NULL,
  run INTEGER NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (bucket, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE search_runs (
  run INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL
) STRICT;

-- Up to which feed stamp what happened to an account's messages is marked in search_blocks. Blocks of before have no row yet.
CREATE TABLE search_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;
INSERT INTO search_cursors (account_id, stamp_us)
SELECT a.id, max(
  coalesce((SELECT max(m.stamp_us) FROM messages m WHERE m.account_id = a.id AND m.stamp_us IS NOT NULL), 0),
  coalesce((SELECT max(b.queued_stamp_us) FROM batches b
    WHERE b.account_id = a.id AND b.queued_stamp_us IS NOT NULL), 0))
FROM accounts a;
