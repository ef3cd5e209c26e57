-- A post to the Cloud API, written with the claim, before its first byte. n: the number of the post of its message, which comes
-- back with every status.
CREATE TABLE whatsapp_posts (
  message_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  -- The code of the number it left by.
  number TEXT NOT NULL,
  posted_at INTEGER NOT NULL,
  -- POSTED: no answer yet. UNANSWERED: none came.
  state TEXT NOT NULL CHECK (state IN ('POSTED', 'ACCEPTED', 'HELD', 'REFUSED', 'UNANSWERED')),
  -- Meta's id, which holds the user's number; by the answer or a status.
  wamid TEXT,
  -- Meta's code of a refusal or a failure.
  code INTEGER,
  -- The statuses that came: 1 sent, 2 delivered, 4 read, 8 failed.
  told INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER,
  -- When waiting for statuses is given up.
  close_at INTEGER,
  PRIMARY KEY (message_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX whatsapp_posts_wamid ON whatsapp_posts (wamid) WHERE wamid IS NOT NULL;
CREATE INDEX whatsapp_posts_closing ON whatsapp_posts (close_at) WHERE close_at IS NOT NULL;
-- Who was written to in the last day.
CREATE INDEX whatsapp_posts_times ON whatsapp_posts (posted_at);

-- A status that came before anything is known of its message, as it was told.
CREATE TABLE whatsapp_parked_statuses (
  wamid TEXT NOT NULL,
  status TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  told TEXT NOT NULL,
  PRIMARY KEY (wamid, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX whatsapp_parked_statuses_times ON whatsapp_parked_statuses (received_at);

-- A number that Meta has stopped. token_digest: of the token it had then.
CREATE TABLE whatsapp_stops (
  number TEXT PRIMARY KEY,
  code INTEGER NOT NULL,
  token_digest TEXT NOT NULL,
  stopped_at INTEGER NOT NULL
) STRICT;
