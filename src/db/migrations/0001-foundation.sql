-- Times are milliseconds since the Unix epoch unless a name ends in _us (microseconds). Amounts are whole XOF.

CREATE TABLE schema_history (
  version INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

---------------------------------------------------------------- accounts

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE CHECK (length(ulid) = 26),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  suspended_reason TEXT,
  timezone TEXT NOT NULL,
  billing_mode TEXT NOT NULL CHECK (billing_mode IN ('PREPAID', 'POSTPAID')),
  credit_limit INTEGER NOT NULL DEFAULT 0 CHECK (credit_limit >= 0),
  -- NULL: the configuration's [billing] charge_on.
  charge_on TEXT CHECK (charge_on IN ('accepted', 'delivered')),
  -- Comma-separated, in order of urgency.
  classes TEXT NOT NULL DEFAULT 'OTP,TRANSACTIONAL,MARKETING',
  created_at INTEGER NOT NULL,
  CHECK (billing_mode = 'POSTPAID' OR credit_limit = 0),
  CHECK ((status = 'SUSPENDED') = (suspended_reason IS NOT NULL))
) STRICT;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  secret_sha256 BLOB NOT NULL CHECK (length(secret_sha256) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_of_account ON api_keys (account_id);

CREATE TABLE senders (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 32),
  status TEXT NOT NULL CHECK (status IN ('REQUESTED', 'APPROVED', 'REJECTED')),
  rejection_reason TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE sender_registrations (
  sender_id INTEGER NOT NULL REFERENCES senders (id),
  operator TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (sender_id, operator)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_prices (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK (message_class IN ('', 'OTP', 'TRANSACTIONAL', 'MARKETING')),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, operator, message_class)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- A JSON object; never a secret.
  detail TEXT NOT NULL
) STRICT;

---------------------------------------------------------------- wallet

-- What an account has at this moment, movements that are not folded into the ledger yet included.
-- The public balance is funds + reserved.
CREATE TABLE wallets (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  funds INTEGER NOT NULL DEFAULT 0,
  reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0)
) STRICT;

-- Double entry: each row takes `amount` from one book of the account and puts it into another, so that every
-- posting sums to zero by its shape. Rows are never changed.
--   CASH      the world outside: what was paid in
--   FUNDS     what the account may spend
--   RESERVED  set aside for accepted messages
--   EARNED    charged
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('TOPUP', 'ADJUSTMENT', 'RESERVE', 'CHARGE', 'RELEASE')),
  debit TEXT NOT NULL CHECK (debit IN ('CASH', 'FUNDS', 'RESERVED', 'EARNED')),
  credit TEXT NOT NULL CHECK (credit IN ('CASH', 'FUNDS', 'RESERVED', 'EARNED')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- What made it, once and for all: 'batch:ULID:reserve', 'topup:ULID:REFERENCE', ...
  cause TEXT NOT NULL UNIQUE,
  batch_id INTEGER,
  note TEXT,
  created_at INTEGER NOT NULL,
  CHECK (debit <> credit)
) STRICT;
CREATE INDEX ledger_of_account ON ledger (account_id, id);

CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;

---------------------------------------------------------------- messages

CREATE TABLE batches (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE CHECK (length(ulid) = 26),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- STAGING: its messages are being written and nobody was answered yet; void at the next start.
  status TEXT NOT NULL CHECK (status IN ('STAGING', 'VALIDATING', 'SCHEDULED', 'QUEUED', 'SENDING', 'SETTLED',
    'REJECTED', 'FAILED', 'CANCELLED')),
  sender TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('SMS', 'WHATSAPP')),
  message_class TEXT NOT NULL CHECK (message_class IN ('OTP', 'TRANSACTIONAL', 'MARKETING')),
  body TEXT NOT NULL,
  is_test INTEGER NOT NULL CHECK (is_test IN (0, 1)),
  timezone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  scheduled_at INTEGER,
  -- When a message of it that has not left yet is given up.
  expires_at INTEGER NOT NULL,
  charge_on TEXT NOT NULL CHECK (charge_on IN ('accepted', 'delivered')),

  -- Its messages are rows first_message_id to first_message_id + accepted - 1, in order of submission.
  first_message_id INTEGER NOT NULL,
  accepted INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  total_segments INTEGER NOT NULL DEFAULT 0,
  -- Of a batch that was staged: the feed stamp of its first message as QUEUED; those of the others follow by rule.
  queued_stamp_us INTEGER,

  -- How many of its messages ever reached each state.
  queued INTEGER NOT NULL DEFAULT 0,
  submitted INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0,
  delivered INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  -- How many are not final yet, and how many still hold money or wait to be squared.
  unfinished INTEGER NOT NULL DEFAULT 0 CHECK (unfinished >= 0),
  unsquared INTEGER NOT NULL DEFAULT 0 CHECK (unsquared >= 0),

  reserved_amount INTEGER NOT NULL DEFAULT 0 CHECK (reserved_amount >= 0),
  charged_amount INTEGER NOT NULL DEFAULT 0 CHECK (charged_amount >= 0),
  released_amount INTEGER NOT NULL DEFAULT 0 CHECK (released_amount >= 0),
  -- What of the two the ledger holds already, and in how many postings.
  posted_charged INTEGER NOT NULL DEFAULT 0,
  posted_released INTEGER NOT NULL DEFAULT 0,
  postings INTEGER NOT NULL DEFAULT 0,

  failure_code TEXT,
  failure_detail TEXT,
  -- Set as soon as it is called off, as an error code for its messages; CANCELLED follows when all is squared.
  cancel_reason TEXT CHECK (cancel_reason IN ('CANCELLED', 'SCHEDULE_TOO_LATE')),
  cancel_note TEXT,
  ended_at INTEGER,
  CHECK (charged_amount + released_amount <= reserved_amount),
  CHECK (posted_charged <= charged_amount AND posted_released <= released_amount),
  CHECK (status NOT IN ('SETTLED', 'CANCELLED') OR unsquared = 0),
  CHECK (status <> 'SETTLED' OR unfinished = 0),
  CHECK (unsquared > 0 OR charged_amount + released_amount = reserved_amount)
) STRICT;
CREATE INDEX batches_of_account ON batches (account_id, id);
CREATE INDEX batches_open ON batches (status, id) WHERE status NOT IN ('SETTLED', 'REJECTED', 'FAILED', 'CANCELLED');
CREATE INDEX batches_staged_feed ON batches (account_id, queued_stamp_us) WHERE queued_stamp_us IS NOT NULL;
CREATE INDEX batches_unfolded ON batches (id)
  WHERE charged_amount <> posted_charged OR released_amount <> posted_released;

CREATE TABLE rejections (
  batch_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  msisdn TEXT,
  reason TEXT NOT NULL,
  PRIMARY KEY (batch_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL,
  -- Not a foreign key: removing a batch would look for messages of it without an index to help.
  batch_id INTEGER NOT NULL,
  -- Zero-based place of the recipient in the submitted array.
  position INTEGER NOT NULL,
  msisdn TEXT NOT NULL,
  operator TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('QUEUED', 'SUBMITTED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED')),
  is_final INTEGER NOT NULL DEFAULT 0 CHECK (is_final IN (0, 1)),
  is_squared INTEGER NOT NULL DEFAULT 0 CHECK (is_squared IN (0, 1)),
  encoding TEXT NOT NULL CHECK (encoding IN ('GSM7', 'UCS2')),
  segments INTEGER NOT NULL CHECK (segments BETWEEN 1 AND 255),
  -- Of one segment, as it stood when the batch was accepted.
  price INTEGER NOT NULL CHECK (price >= 0),
  amount INTEGER NOT NULL DEFAULT 0 CHECK (amount BETWEEN 0 AND segments * price),
  -- NULL: the batch's body without change.
  text TEXT,
  -- Not offered to a connection before; 0 goes ahead of its class.
  not_before INTEGER NOT NULL,
  -- How often it was claimed, and how often it was sent again for want of an answer.
  attempts INTEGER NOT NULL DEFAULT 0,
  resends INTEGER NOT NULL DEFAULT 0,
  -- Unanswered: since when the answer is overdue, and until when it is waited for.
  unanswered_at INTEGER,
  unanswered_until INTEGER,
  error_code TEXT,
  error_detail TEXT,
  operator_code TEXT,
  -- status_changed_at. NULL while a message of a staged batch stands as it was accepted: then the batch tells.
  stamp_us INTEGER,
  created_at INTEGER NOT NULL,
  submitted_at INTEGER,
  sent_at INTEGER,
  delivered_at INTEGER,
  finalized_at INTEGER,
  CHECK (status NOT IN ('DELIVERED', 'FAILED', 'CANCELLED') OR is_final = 1),
  CHECK (status NOT IN ('QUEUED', 'SUBMITTED') OR is_final = 0),
  CHECK (is_final = 0 OR is_squared = 1),
  CHECK ((unanswered_at IS NULL) = (unanswered_until IS NULL)),
  CHECK (unanswered_at IS NULL OR status = 'SUBMITTED')
) STRICT;
CREATE INDEX messages_queue ON messages (batch_id, operator, not_before, id) WHERE status = 'QUEUED';
CREATE INDEX messages_submitted ON messages (id) WHERE status = 'SUBMITTED';
CREATE INDEX messages_unanswered ON messages (unanswered_until) WHERE unanswered_until IS NOT NULL;
CREATE INDEX messages_feed ON messages (account_id, stamp_us) WHERE stamp_us IS NOT NULL;
CREATE INDEX messages_untouched ON messages (batch_id, id) WHERE stamp_us IS NULL;

-- The segments that an operator has accepted, or said no to, and what became of them.
CREATE TABLE parts (
  message_id INTEGER NOT NULL,
  part INTEGER NOT NULL CHECK (part BETWEEN 1 AND 255),
  operator TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('SENT', 'DELIVERED', 'FAILED')),
  -- The operator's id exactly as received, and its canonical form for look-ups.
  smsc_id TEXT NOT NULL,
  smsc_key TEXT NOT NULL,
  error_code TEXT,
  operator_code TEXT,
  sent_at INTEGER NOT NULL,
  receipt_at INTEGER,
  -- A part that was sent again for want of an answer may have been accepted under two ids.
  PRIMARY KEY (message_id, part, smsc_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX parts_by_smsc_key ON parts (operator, smsc_key);

-- Receipts that name no message known yet.
CREATE TABLE parked_receipts (
  id INTEGER PRIMARY KEY,
  operator TEXT NOT NULL,
  smsc_id TEXT NOT NULL,
  smsc_key TEXT NOT NULL,
  msisdn TEXT NOT NULL,
  state TEXT NOT NULL,
  raw_state TEXT NOT NULL,
  operator_code TEXT,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX parked_receipts_by_smsc_key ON parked_receipts (operator, smsc_key);
CREATE INDEX parked_receipts_by_age ON parked_receipts (received_at);

-- What happened to a message beside the moves of its status: contradictory receipts, resends and the like.
CREATE TABLE message_notes (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX message_notes_of_message ON message_notes (message_id, id);

-- The highest feed stamp an account was given (docs/behaviour.md#the-feed).
CREATE TABLE feed_clocks (
  account_id INTEGER PRIMARY KEY,
  last_us INTEGER NOT NULL
) STRICT;

---------------------------------------------------------------- http

CREATE TABLE idempotency_records (
  api_key_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_sha256 BLOB NOT NULL,
  status INTEGER NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (api_key_id, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);
