-- What was posted to another Bendre: the newest post of a message, by whose feed tells of it.
CREATE TABLE partner_posts (
  message_id INTEGER NOT NULL,
  feed TEXT NOT NULL,
  n INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  connection INTEGER NOT NULL,
  posted_at INTEGER NOT NULL,
  account TEXT NOT NULL,
  route TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('POSTED', 'TAKEN', 'SENT', 'ENDED')),
  PRIMARY KEY (message_id, feed)
) STRICT, WITHOUT ROWID;
CREATE INDEX partner_posts_open ON partner_posts (feed, posted_at) WHERE state <> 'ENDED';

-- How far the feed of another Bendre was read, by the connection that reads it.
CREATE TABLE partner_feeds (
  operator TEXT NOT NULL,
  connection TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (operator, connection)
) STRICT, WITHOUT ROWID;

-- How many appliances a batch had passed before this one; no row of one that came from a client.
CREATE TABLE batch_hops (
  batch_ulid TEXT PRIMARY KEY,
  hops INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
