-- From the schema of 0.1.0 as it was released to that of the builds after it that still called themselves 0.1.0.

-- ===== 6: webhooks

---------------------------------------------------------------- events

-- What happened that clients may be told, one row a change, written in the change's own transaction and knowing nothing
-- of endpoints. That a message became final is not among them: its own row and feed stamp tell it already.
CREATE TABLE events (
  -- AUTOINCREMENT, because cursors of endpoints point at ids that may have been forgotten since.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('BATCH_SETTLED', 'BATCH_ACCEPTED', 'BATCH_REJECTED', 'BATCH_FAILED',
    'BATCH_CANCELLED', 'WALLET_LOW')),
  -- The batch it is about; NULL for the wallet.
  batch_id INTEGER,
  -- Figures that must be kept as they stood, a JSON object; NULL when the subject's row still tells them.
  figures TEXT,
  at INTEGER NOT NULL,
  CHECK ((type = 'WALLET_LOW') = (batch_id IS NULL)),
  CHECK ((type = 'WALLET_LOW') = (figures IS NOT NULL))
) STRICT;
CREATE INDEX events_of_account ON events (account_id, id);

---------------------------------------------------------------- webhooks

CREATE TABLE webhook_endpoints (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE CHECK (length(ulid) = 26),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  description TEXT NOT NULL,
  -- Comma-separated event types.
  events TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ENABLED', 'DISABLED_BY_USER', 'DISABLED_AFTER_FAILURES')),
  disabled_reason TEXT,
  consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  last_success_at INTEGER,
  last_failure_at INTEGER,
  created_at INTEGER NOT NULL,
  -- Rises whenever somebody changes the endpoint, so that a delivery under way for what it was writes nothing any more.
  revision INTEGER NOT NULL DEFAULT 0,
  -- Up to here every final message, and every row of events, was delivered, given up or put into webhook_retries.
  feed_cursor_us INTEGER NOT NULL,
  event_cursor INTEGER NOT NULL,
  -- Nothing is attempted before.
  not_before INTEGER NOT NULL DEFAULT 0,
  CHECK ((status = 'ENABLED') = (disabled_reason IS NULL))
) STRICT;
CREATE INDEX webhook_endpoints_of_account ON webhook_endpoints (account_id, id);
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (id) WHERE status = 'ENABLED';

-- Signing secrets, sealed with the key file in the data directory.
CREATE TABLE webhook_secrets (
  id INTEGER PRIMARY KEY,
  endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  -- NULL: the newest, which stays until it is rotated.
  expires_at INTEGER
) STRICT;
CREATE INDEX webhook_secrets_of_endpoint ON webhook_secrets (endpoint_id, id);

-- Events that were attempted at least once and wait for their next attempt.
CREATE TABLE webhook_retries (
  id INTEGER PRIMARY KEY,
  endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  -- What is sent, the same at every attempt.
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL CHECK (attempts > 0),
  due_at INTEGER NOT NULL,
  UNIQUE (endpoint_id, event_id)
) STRICT;
CREATE INDEX webhook_retries_due ON webhook_retries (endpoint_id, due_at);

-- The last few attempts of each endpoint, for people who look why nothing arrives.
CREATE TABLE webhook_attempts (
  id INTEGER PRIMARY KEY,
  endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- HTTP status; NULL when there was no answer.
  status INTEGER,
  -- In words; NULL when it was delivered.
  error TEXT
) STRICT;
CREATE INDEX webhook_attempts_of_endpoint ON webhook_attempts (endpoint_id, id);

-- With is_final in it, final messages are found in the feed without looking at those on their way.
DROP INDEX messages_feed;
CREATE INDEX messages_feed ON messages (account_id, stamp_us, is_final) WHERE stamp_us IS NOT NULL;

-- ===== 7: open batches

-- Batches that were called off and still wait for receipts of what had left: few among all that were ever called off.
CREATE INDEX batches_called_off ON batches (id) WHERE status = 'CANCELLED' AND unfinished > 0;

-- ===== 8: proof of books

-- The price that a change found, NULL for none: it must be what the change before it left, so that no price of the past
-- can be altered alone.
ALTER TABLE price_changes ADD COLUMN previous_amount INTEGER CHECK (previous_amount >= 0);
UPDATE price_changes SET previous_amount = before.amount
FROM (SELECT id, lag(amount) OVER (PARTITION BY account_id, operator, message_class ORDER BY id) AS amount
  FROM price_changes) AS before
WHERE before.id = price_changes.id;

-- Why a check of the books came to no end; NULL for one that did.
ALTER TABLE ledger_checks ADD COLUMN failure TEXT;
