-- The schema that a new database begins with. One that was migrated has the same (test/db/migrate.test.ts). A CHECK of a list is
-- rewritten as it is applied (`withoutLists` in migrate.ts).
-- Times are milliseconds since the Unix epoch unless a name ends in _us (microseconds). Amounts are whole XOF.

---------------------------------------------------------------- db

-- The wall time that the appliance last believed while it ran, noted now and then: the clock of the next start is compared
-- with it.
CREATE TABLE clock_mark (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  wall_at INTEGER NOT NULL
) STRICT;

-- How far passes over what only grows have come: everything of an account up to a place was looked at.
CREATE TABLE cursors (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  pass TEXT NOT NULL,
  -- A feed stamp, or the time a batch was accepted; and the row among those of one time.
  at INTEGER NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass)
) STRICT, WITHOUT ROWID;

-- How much of the database was in use on a day since the beginning of 1970, for whoever asks how fast it grows.
CREATE TABLE daily_sizes (
  day INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;

CREATE TABLE schema_history (
  version INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL,
  -- Which executable brought the schema here, and the backup that it made before; NULL of a new database, and of all steps of an
  -- upgrade but the last.
  executable TEXT,
  backup TEXT
) STRICT;

---------------------------------------------------------------- domain/events

-- What happened that clients may be told, one row a change, written in the change's own transaction and knowing nothing
-- of endpoints. That a message became final is not among them: its own row and feed stamp tell it already.
CREATE TABLE events (
  -- AUTOINCREMENT, because cursors of endpoints point at ids that may have been forgotten since.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  type TEXT NOT NULL
    CHECK (type IN ('BATCH_SETTLED', 'BATCH_ACCEPTED', 'BATCH_REJECTED', 'BATCH_FAILED', 'BATCH_CANCELLED', 'WALLET_LOW')),
  -- The batch it is about; NULL for the wallet.
  batch_id INTEGER,
  -- Figures that must be kept as they stood, a JSON object; NULL when the subject's row still tells them.
  figures TEXT,
  at INTEGER NOT NULL,
  CHECK ((type = 'WALLET_LOW') = (batch_id IS NULL)),
  CHECK ((type = 'WALLET_LOW') = (figures IS NOT NULL))
) STRICT;
CREATE INDEX events_of_account ON events (account_id, id);

---------------------------------------------------------------- domain/accounts

CREATE TABLE account_prices (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK (message_class IN ('', 'OTP', 'TRANSACTIONAL', 'MARKETING')),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, operator, message_class)
) STRICT, WITHOUT ROWID;

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
  -- What the appliance's configuration says in [policy], overridden for one account. NULL: as the configuration says.
  recipients_per_minute INTEGER CHECK (recipients_per_minute >= 0),
  recipients_per_day INTEGER CHECK (recipients_per_day >= 0),
  -- 'HH:MM-HH:MM' in the account's timezone.
  marketing_hours TEXT CHECK (marketing_hours GLOB '[0-9][0-9]:[0-9][0-9]-[0-9][0-9]:[0-9][0-9]'),
  marketing_per_day INTEGER CHECK (marketing_per_day >= 0),
  marketing_per_week INTEGER CHECK (marketing_per_week >= 0),
  -- Whole XOF. NULL: nobody is told when the wallet runs low.
  low_balance INTEGER CHECK (low_balance >= 0),
  -- What people type in place of an account's id. NULL for none.
  short_name TEXT CHECK (length(short_name) BETWEEN 2 AND 20 AND short_name NOT GLOB '*[^a-z0-9-]*'),
  -- When an account was closed, NULL while it is not. A closed one is SUSPENDED as well, so that whatever asks whether an account
  -- may send needs to know nothing of it.
  closed_at INTEGER CHECK (closed_at IS NULL OR status = 'SUSPENDED'),
  -- What an account's batches ask for their texts, where they don't say so themselves.
  text_policy TEXT NOT NULL DEFAULT 'as_is' CHECK (text_policy IN ('as_is', 'rewrite', 'gsm_only')),
  missing_attributes TEXT NOT NULL DEFAULT 'empty' CHECK (missing_attributes IN ('empty', 'reject')),
  -- The sandbox of the account n is the account −n: its row holds its wallet and its keys together, all else of it is read from n.
  sandbox_of INTEGER REFERENCES accounts (id) CHECK (sandbox_of IS CASE WHEN id < 0 THEN -id END),
  -- Seconds after which batches of WhatsApp go on as SMS that do not say so themselves; NULL: never.
  fallback_seconds INTEGER CHECK (fallback_seconds BETWEEN 60 AND 43200),
  CHECK (billing_mode = 'POSTPAID' OR credit_limit = 0),
  CHECK ((status = 'SUSPENDED') = (suspended_reason IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX accounts_by_short_name ON accounts (short_name) WHERE short_name IS NOT NULL;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  secret_sha256 BLOB NOT NULL CHECK (length(secret_sha256) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  -- When a key was last used, as it was last written down: whoever revokes one knows whether something will miss it.
  last_used_at INTEGER
) STRICT;
-- Keys by their end: staff are told of those that end soon, of all accounts at once.
CREATE INDEX api_keys_ending ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX api_keys_of_account ON api_keys (account_id);

CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- A JSON object; never a secret.
  detail TEXT NOT NULL
) STRICT;

-- Who asks at the doors for clients of Kannel and Jasmin.
CREATE TABLE compat_users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  message_class TEXT NOT NULL CHECK (message_class IN ('TRANSACTIONAL', 'MARKETING', 'OTP')),
  sender TEXT,
  password_sha256 BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX compat_users_in_use ON compat_users (name) WHERE revoked_at IS NULL;
CREATE INDEX compat_users_of_account ON compat_users (account_id);

-- What is left to be set up and a user of the console does not want to be shown; it goes when that is done.
CREATE TABLE dismissed_todos (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  todo TEXT NOT NULL,
  PRIMARY KEY (user_id, todo)
) STRICT, WITHOUT ROWID;

-- Suppressions of numbers that were erased: the number is a hash under a key that lies in no database.
CREATE TABLE erased_suppressions (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  number_name TEXT NOT NULL,
  message_class TEXT NOT NULL CHECK (message_class IN ('OTP', 'TRANSACTIONAL', 'MARKETING')),
  source TEXT NOT NULL CHECK (source IN ('ADMIN', 'IMPORT', 'KEYWORD', 'META')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, number_name, message_class, source)
) STRICT, WITHOUT ROWID;

-- The history of an account's own prices. One may be taken away again: the operator's counts from then on.
CREATE TABLE price_changes (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK (message_class IN ('', 'OTP', 'TRANSACTIONAL', 'MARKETING')),
  -- NULL: taken away.
  amount INTEGER CHECK (amount >= 0),
  created_at INTEGER NOT NULL,
  -- The price that a change found, NULL for none: it must be what the change before it left, so that no price of the past
  -- can be altered alone.
  previous_amount INTEGER CHECK (previous_amount >= 0)
) STRICT;
CREATE INDEX price_changes_of_account ON price_changes (account_id, id);

CREATE TABLE sender_registrations (
  sender_id INTEGER NOT NULL REFERENCES senders (id),
  operator TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (sender_id, operator)
) STRICT, WITHOUT ROWID;

CREATE TABLE senders (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 32),
  status TEXT NOT NULL CHECK (status IN ('REQUESTED', 'APPROVED', 'REJECTED')),
  rejection_reason TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;
-- Whose a sender is that a subscriber answers to with STOP.
CREATE INDEX senders_by_name ON senders (name, account_id) WHERE status = 'APPROVED';

-- Who binds over SMPP.
CREATE TABLE smpp_users (
  id INTEGER PRIMARY KEY,
  -- Never given twice, also after its end.
  system_id TEXT NOT NULL UNIQUE,
  -- Below 0: the sandbox of an account.
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  password_hash TEXT NOT NULL,
  -- The password before, which counts until then; NULL: none does.
  old_hash TEXT,
  old_until INTEGER,
  message_class TEXT NOT NULL CHECK (message_class IN ('OTP', 'TRANSACTIONAL', 'MARKETING')),
  classes_by TEXT CHECK (classes_by = 'service_type'),
  sender TEXT,
  max_binds INTEGER NOT NULL CHECK (max_binds BETWEEN 1 AND 50),
  throughput INTEGER NOT NULL CHECK (throughput BETWEEN 1 AND 5000),
  window_size INTEGER NOT NULL CHECK (window_size BETWEEN 1 AND 1000),
  -- Comma-separated; '' is any.
  networks TEXT NOT NULL,
  tls TEXT NOT NULL CHECK (tls IN ('required', 'optional')),
  alphabet TEXT NOT NULL CHECK (alphabet IN ('gsm', 'latin1', 'ascii')),
  ids TEXT NOT NULL CHECK (ids IN ('ulid', 'decimal', 'hex')),
  has_reasons INTEGER NOT NULL CHECK (has_reasons IN (0, 1)),
  receipt_text INTEGER NOT NULL CHECK (receipt_text IN (0, 20)),
  has_inbound INTEGER NOT NULL CHECK (has_inbound IN (0, 1)),
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  CHECK ((old_hash IS NULL) = (old_until IS NULL))
) STRICT;
CREATE INDEX smpp_users_of_account ON smpp_users (account_id);
-- Users to whom texts that come in are delivered: few, or none.
CREATE INDEX smpp_users_inbound ON smpp_users (account_id) WHERE has_inbound = 1 AND revoked_at IS NULL;

-- Who does not want what. What the user wrote, what Meta told and what an administrator said are kept apart: each stands by itself,
-- and is lifted by itself.
CREATE TABLE suppressions (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  -- E.164 with '+'.
  msisdn TEXT NOT NULL CHECK (msisdn GLOB '+[0-9]*'),
  -- A recipient who opted out of everything has a row for each class.
  message_class TEXT NOT NULL CHECK (message_class IN ('OTP', 'TRANSACTIONAL', 'MARKETING')),
  -- An administrator by hand, a file, a word like STOP that the recipient sent, or Meta.
  source TEXT NOT NULL CHECK (source IN ('ADMIN', 'IMPORT', 'KEYWORD', 'META')),
  created_at INTEGER NOT NULL,
  note TEXT,
  PRIMARY KEY (account_id, msisdn, message_class, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_links (
  id INTEGER PRIMARY KEY,
  user_id INTEGER REFERENCES users (id),
  secret_hash TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_links_by_age ON user_links (expires_at);
CREATE INDEX user_links_of_user ON user_links (user_id);

-- Networks that a user came in from: what others try under their login elsewhere keeps nobody out there.
CREATE TABLE user_networks (
  user_id INTEGER NOT NULL REFERENCES users (id),
  network TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_networks_seen ON user_networks (seen_at);

CREATE TABLE user_recovery_codes (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  UNIQUE (user_id, code_hash)
) STRICT;

CREATE TABLE user_sessions (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  token_hash TEXT NOT NULL UNIQUE,
  stage TEXT NOT NULL CHECK (stage IN ('PASSWORD', 'FULL')),
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  address TEXT NOT NULL,
  agent TEXT NOT NULL
) STRICT;
CREATE INDEX user_sessions_by_age ON user_sessions (created_at);
CREATE INDEX user_sessions_of_user ON user_sessions (user_id, id);

-- People who sign in to the console.
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  login TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL
    CHECK (role IN ('OWNER', 'OPERATIONS', 'FINANCE', 'SUPPORT', 'ACCOUNT_ADMIN', 'ACCOUNT_SENDER', 'ACCOUNT_READER')),
  account_id INTEGER REFERENCES accounts (id),
  language TEXT CHECK (language IN ('fr', 'en')),
  timezone TEXT,
  status TEXT NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  password_hash TEXT,
  totp_secret TEXT,
  totp_step INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- 1: the second factor followed from the link that it came by, and whoever has the link has it.
  has_link_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_link_factor IN (0, 1)),
  CHECK ((account_id IS NOT NULL) = (role LIKE 'ACCOUNT_%'))
) STRICT;
CREATE INDEX users_of_account ON users (account_id, id) WHERE account_id IS NOT NULL;

---------------------------------------------------------------- domain/ledger

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
CREATE INDEX ledger_of_account ON ledger (account_id, created_at);
-- Entries of an account bear the time at which they were made, also where the clock went back since the one before:
-- (created_at, id) orders a statement, and a checkpoint counts everything up to its place in that order. An entry that is
-- dated before a checkpoint takes it away, and it is made anew.
CREATE TRIGGER ledger_checkpoint_is_overtaken AFTER INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger_checkpoints
  WHERE account_id = NEW.account_id AND (created_at, entry_id) > (NEW.created_at, NEW.id))
BEGIN
  DELETE FROM ledger_checkpoints
  WHERE account_id = NEW.account_id AND (created_at, entry_id) > (NEW.created_at, NEW.id);
END;
CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger WHEN OLD.account_id > 0
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;

-- What the entries of an account come to, up to and with one of them, so that the opening balance of a statement need
-- not read years of entries. The check of the books recomputes each.
CREATE TABLE ledger_checkpoints (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- The last entry that is counted in, and when it was made.
  entry_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  entries INTEGER NOT NULL CHECK (entries > 0),
  funds INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  PRIMARY KEY (account_id, entry_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_checkpoints_by_time ON ledger_checkpoints (account_id, created_at);

-- What each check of the books found.
CREATE TABLE ledger_checks (
  id INTEGER PRIMARY KEY,
  checked_at INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  batches INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  differences INTEGER NOT NULL CHECK (differences >= 0),
  -- The first of them in words.
  detail TEXT NOT NULL,
  -- Why a check of the books came to no end; NULL for one that did.
  failure TEXT
) STRICT;

-- The day of its account's timezone for which a sandbox's wallet was filled last.
CREATE TABLE sandbox_credits (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  day TEXT NOT NULL
) STRICT;

-- What an account has at this moment, movements that are not posted to the ledger yet included.
-- The public balance is funds + reserved.
CREATE TABLE wallets (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  funds INTEGER NOT NULL DEFAULT 0,
  reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  -- Whether the account was told that it has little left to spend; it is told again once it had enough in between.
  is_low INTEGER NOT NULL DEFAULT 0 CHECK (is_low IN (0, 1))
) STRICT;
CREATE INDEX wallets_low ON wallets (account_id) WHERE is_low = 1;

---------------------------------------------------------------- domain/messages

-- What the channel of a batch keeps of it, in words that it alone reads: the template of a batch of WhatsApp. No row: nothing.
CREATE TABLE batch_channel_notes (
  batch_id INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;

-- The fallback of a batch. A batch without one has no row.
CREATE TABLE batch_fallbacks (
  batch_id INTEGER PRIMARY KEY,
  -- How long nothing may be heard of the first way.
  after_ms INTEGER NOT NULL CHECK (after_ms > 0),
  -- The text of messages that have none of their own.
  body TEXT NOT NULL,
  charge_on TEXT NOT NULL CHECK (charge_on IN ('accepted', 'delivered')),
  -- Until when the first way is worth beginning; the batch's own end is that of the second.
  first_expires_at INTEGER NOT NULL,
  -- How long the second is worth sending once it begins.
  validity_ms INTEGER NOT NULL CHECK (validity_ms > 0)
) STRICT;

-- How many appliances a batch had passed before this one; no row of one that came from a client.
CREATE TABLE batch_hops (
  batch_ulid TEXT PRIMARY KEY,
  hops INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE CHECK (length(ulid) = 26),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- STAGING: its messages are being written and nobody was answered yet; void at the next start.
  status TEXT NOT NULL
    CHECK (status IN ('STAGING', 'VALIDATING', 'SCHEDULED', 'QUEUED', 'SENDING', 'SETTLED', 'REJECTED', 'FAILED', 'CANCELLED')),
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
  -- How many are not final yet, and of how many the money is not closed.
  unfinished INTEGER NOT NULL DEFAULT 0 CHECK (unfinished >= 0),
  unclosed INTEGER NOT NULL DEFAULT 0 CHECK (unclosed >= 0),

  reserved_amount INTEGER NOT NULL DEFAULT 0 CHECK (reserved_amount >= 0),
  charged_amount INTEGER NOT NULL DEFAULT 0 CHECK (charged_amount >= 0),
  released_amount INTEGER NOT NULL DEFAULT 0 CHECK (released_amount >= 0),
  -- What of the two the ledger holds already, and in how many postings.
  posted_charged INTEGER NOT NULL DEFAULT 0,
  posted_released INTEGER NOT NULL DEFAULT 0,
  postings INTEGER NOT NULL DEFAULT 0,

  failure_code TEXT,
  failure_detail TEXT,
  -- Set as soon as it is called off, as an error code for its messages; CANCELLED follows when all money is closed.
  cancel_reason TEXT CHECK (cancel_reason IN ('CANCELLED', 'SCHEDULE_TOO_LATE')),
  cancel_note TEXT,
  ended_at INTEGER,
  -- No message that waits for its receipt was SENT before this. NULL: none can wait. It is where the search for overdue
  -- receipts begins, and moves on with it.
  awaiting_since INTEGER,
  -- What was in force for a batch; null: 'as_is' and 'empty'. No CHECK: it would read every batch there is.
  text_policy TEXT,
  missing_attributes TEXT,
  -- What its client is told of its tags, as the JSON array that is told; null for nothing.
  warnings TEXT,
  -- When somebody asked for a batch to be cancelled; NULL where nobody did, as where it was too late for its schedule.
  cancel_requested_at INTEGER,
  -- What its client calls it.
  client_reference TEXT,
  -- How many rows of its file nobody could read. The first of them are kept.
  unreadable INTEGER NOT NULL DEFAULT 0 CHECK (unreadable >= 0),
  -- What of the braces of a batch's texts is a tag although it is no plain name, {Nom complet}: a JSON list of names, NULL for none.
  other_tags TEXT,
  -- Whether it came over SMPP: a batch for each text. No CHECK: it would read every batch there is.
  is_smpp INTEGER NOT NULL DEFAULT 0,
  CHECK (charged_amount + released_amount <= reserved_amount),
  CHECK (posted_charged <= charged_amount AND posted_released <= released_amount),
  CHECK (status NOT IN ('SETTLED', 'CANCELLED') OR unclosed = 0),
  CHECK (status <> 'SETTLED' OR unfinished = 0),
  CHECK (unclosed > 0 OR charged_amount + released_amount = reserved_amount)
) STRICT;
CREATE INDEX batches_awaiting ON batches (awaiting_since) WHERE awaiting_since IS NOT NULL;
CREATE INDEX batches_by_reference ON batches (account_id, client_reference, created_at)
  WHERE client_reference IS NOT NULL;
CREATE INDEX batches_of_account ON batches (account_id, created_at);
CREATE INDEX batches_scheduled ON batches (scheduled_at) WHERE status = 'SCHEDULED' AND cancel_reason IS NULL;
-- Batches that went another way than most, for lists by status. One that is sent and settled never stands here.
CREATE INDEX batches_set_apart ON batches (account_id, created_at)
  WHERE status IN ('VALIDATING', 'SCHEDULED', 'REJECTED', 'FAILED', 'CANCELLED');
CREATE INDEX batches_staged ON batches (id) WHERE status = 'STAGING';
CREATE INDEX batches_staged_feed ON batches (account_id, queued_stamp_us) WHERE queued_stamp_us IS NOT NULL;
CREATE INDEX batches_unposted ON batches (id)
  WHERE charged_amount <> posted_charged OR released_amount <> posted_released;
CREATE INDEX batches_validating ON batches (account_id, id) WHERE status = 'VALIDATING';

-- Which user of the console wrote and sent a batch. A batch of a client, of a command, or of texts that are sent again has no row.
CREATE TABLE batch_senders (
  batch_id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX batch_senders_by_user ON batch_senders (user_id);

-- Which batch a batch corrects: it was sent out of rows of that one's file, or to those whom that one failed to reach.
CREATE TABLE corrections (
  batch_id INTEGER PRIMARY KEY,
  corrects INTEGER NOT NULL,
  -- Whether it sends each the text again that failed, and no file at all.
  is_again INTEGER NOT NULL DEFAULT 0 CHECK (is_again IN (0, 1))
) STRICT;
CREATE INDEX corrections_by_corrected ON corrections (corrects);

-- Of a message with a fallback: the leg that its row does not hold, and what its client is shown.
CREATE TABLE fallbacks (
  message_id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL,
  -- Which leg the row holds: the first, the second, or the first again (BACK), which had arrived after all.
  stage TEXT NOT NULL DEFAULT 'FIRST' CHECK (stage IN ('FIRST', 'SECOND', 'BACK')),
  -- The message is not final.
  is_open INTEGER NOT NULL DEFAULT 1 CHECK (is_open IN (0, 1)),
  -- The other leg: as messages have these.
  operator TEXT NOT NULL,
  encoding TEXT NOT NULL CHECK ((encoding = 'GSM7' OR encoding = 'UCS2')),
  segments INTEGER NOT NULL CHECK (segments BETWEEN 1 AND 255),
  price INTEGER NOT NULL CHECK (price >= 0),
  -- NULL: the batch's text for that leg, without change.
  text TEXT,
  -- What of the message's reservation is more than the leg costs that its row holds.
  excess_amount INTEGER NOT NULL CHECK (excess_amount >= 0),
  -- When to look at the message again: nothing was heard of its first leg, its second was not sent, or has no receipt.
  due_at INTEGER,
  -- Until when the fallback is worth sending; NULL before it begins.
  expires_at INTEGER,
  -- 0: no octet of the fallback has left or may leave; 1: it is claimed for the first time; 2: some may have left.
  claimed INTEGER NOT NULL DEFAULT 0 CHECK (claimed IN (0, 1, 2)),
  -- What the first leg costs that has arrived while the second was under way.
  first_amount INTEGER CHECK (first_amount >= 0),
  -- What came of the other leg; NULL while it was not used.
  status TEXT CHECK (status IN ('QUEUED', 'SUBMITTED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED')),
  at INTEGER,
  error_code TEXT,
  operator_code TEXT,
  -- How far the client saw the message when its fallback began: from there it never goes back.
  shown TEXT CHECK (shown IN ('QUEUED', 'SUBMITTED', 'SENT')),
  submitted_at INTEGER,
  sent_at INTEGER,
  -- When the leg that the row holds moved last.
  moved_at INTEGER
) STRICT;
CREATE INDEX second_ways_due ON fallbacks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX second_ways_untimed ON fallbacks (batch_id, message_id) WHERE due_at IS NULL AND is_open = 1;

-- Batches that were not validated in the copy: their messages come later.
CREATE TABLE held_batches (
  batch_id INTEGER PRIMARY KEY
) STRICT;

-- Messages that may have left by an operator after the copy was made, and of which that is not decided.
CREATE TABLE held_messages (
  message_id INTEGER NOT NULL,
  operator TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  -- 1: it was with that operator in the copy, and nobody has decided since.
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight IN (0, 1)),
  -- 1: it came to the operator's queue after the decision, which is to be carried out.
  is_due INTEGER NOT NULL DEFAULT 0 CHECK (is_due IN (0, 1)),
  PRIMARY KEY (message_id, operator)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_messages_due ON held_messages (message_id) WHERE is_due = 1;
CREATE INDEX held_messages_of_batch ON held_messages (batch_id, operator);

-- Rows of the files that batches were sent out of: each that was not plainly accepted, and each that is known to be a row of an earlier
-- file.
CREATE TABLE import_rows (
  batch_id INTEGER NOT NULL,
  -- Where the row stands in the file, from 1.
  line INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('UNREADABLE', 'DUPLICATE', 'ALREADY_REACHED', 'REJECTED', 'ACCEPTED')),
  -- Why it was not accepted, with a JSON object of what that is about.
  code TEXT,
  params TEXT NOT NULL DEFAULT '{}',
  -- Its place among the recipients of the batch; NULL of a row that was none.
  position INTEGER,
  -- What stands in the place of its number, and the number that people would look for it by; NULL where nobody can tell.
  written TEXT NOT NULL DEFAULT '',
  msisdn TEXT,
  -- JSON: what the tags of the text would be filled in with; NULL: nothing, or no longer.
  cells TEXT,
  client_reference TEXT,
  -- Which row of an earlier batch's file it is, as its id says.
  of_batch INTEGER,
  of_line INTEGER,
  PRIMARY KEY (batch_id, line),
  CHECK ((code IS NULL) = (status = 'ACCEPTED')),
  CHECK ((of_batch IS NULL) = (of_line IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX import_rows_by_number ON import_rows (msisdn, batch_id) WHERE msisdn IS NOT NULL;
CREATE INDEX import_rows_by_place ON import_rows (batch_id, position) WHERE position IS NOT NULL;

-- Those that a batch keeps and that are not written out yet: a JSON array of them.
CREATE TABLE import_rows_to_write (
  batch_id INTEGER PRIMARY KEY,
  rows TEXT NOT NULL
) STRICT;

-- Where the recipients of a batch stood in the file that it was sent out of: a JSON array of [place in the batch, line], one for each run
-- of places whose lines follow each other.
CREATE TABLE imports (
  batch_id INTEGER PRIMARY KEY,
  runs TEXT NOT NULL,
  ulid TEXT
) STRICT;
CREATE INDEX imports_by_id ON imports (ulid) WHERE ulid IS NOT NULL;

-- What happened to a message beside the moves of its status: contradictory receipts, resends and the like.
CREATE TABLE message_notes (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL,
  -- A note that comes again is counted: an operator may repeat an intermediate receipt for as long as it likes.
  times INTEGER NOT NULL DEFAULT 1,
  -- When it came last; null for notes from before they were counted.
  last_at INTEGER
) STRICT;
CREATE INDEX message_notes_of_message ON message_notes (message_id, id);

-- When the user read a message, where its channel tells it, epoch milliseconds. No row: not read, or nobody told.
CREATE TABLE message_reads (
  message_id INTEGER PRIMARY KEY,
  read_at INTEGER NOT NULL
) STRICT;

-- What clients call their recipients: a message without a name has no row.
CREATE TABLE message_references (
  message_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  client_reference TEXT NOT NULL
) STRICT;
CREATE INDEX message_references_by_name ON message_references (account_id, client_reference);

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
  is_money_closed INTEGER NOT NULL DEFAULT 0 CHECK (is_money_closed IN (0, 1)),
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
  -- The highest number that an unmatched receipt had when the message was claimed last: what a crash leaves in doubt left after
  -- that. NULL of what was not noted.
  unmatched_before INTEGER,
  -- The routes that are marked for it, as bits of route_bits; 0 unless it was re-routed. Then not_before is less by 2^50.
  routes_tried INTEGER NOT NULL DEFAULT 0,
  CHECK (status NOT IN ('DELIVERED', 'FAILED', 'CANCELLED') OR is_final = 1),
  CHECK (status NOT IN ('QUEUED', 'SUBMITTED') OR is_final = 0),
  CHECK (is_final = 0 OR is_money_closed = 1),
  CHECK ((unanswered_at IS NULL) = (unanswered_until IS NULL)),
  CHECK (unanswered_at IS NULL OR status = 'SUBMITTED')
) STRICT;
CREATE INDEX messages_feed ON messages (account_id, stamp_us, is_final, batch_id) WHERE stamp_us IS NOT NULL;
CREATE INDEX messages_in_doubt ON messages (msisdn) WHERE unanswered_until IS NOT NULL;
CREATE INDEX messages_queue ON messages (batch_id, operator, not_before, id) WHERE status = 'QUEUED';
CREATE INDEX messages_rerouted ON messages (batch_id, operator, routes_tried, not_before, id)
  WHERE status = 'QUEUED' AND routes_tried <> 0;
CREATE INDEX messages_unanswered ON messages (unanswered_until) WHERE unanswered_until IS NOT NULL;
CREATE INDEX messages_under_way ON messages (msisdn) WHERE status = 'SUBMITTED' AND unanswered_until IS NULL;
CREATE INDEX messages_untouched ON messages (batch_id, id) WHERE stamp_us IS NULL;
-- Whatever becomes of operators and their codes: what is a sandbox's stays in its lane, and nothing else comes into one.
CREATE TRIGGER sandbox_lanes_are_apart BEFORE UPDATE OF operator ON messages
WHEN (NEW.account_id < 0) <> (NEW.operator GLOB 'sandbox:*')
BEGIN SELECT RAISE(ABORT, 'a message of a sandbox stays in its lane'); END;

-- What each operator's connections bind to: receipts come by any session of an SMSC account, and several operators may
-- share one. What an operator was bound to before is remembered for a while, since receipts of that time still come.
CREATE TABLE operator_accounts (
  operator TEXT NOT NULL,
  -- system_id@host:port
  account TEXT NOT NULL,
  -- When it was first found not to be configured any more; NULL while it is.
  left_at INTEGER,
  -- Receipts that were unmatched before this row was written have been tried again.
  is_swept INTEGER NOT NULL DEFAULT 0 CHECK (is_swept IN (0, 1)),
  PRIMARY KEY (operator, account)
) STRICT, WITHOUT ROWID;

-- Operators that go by another code since: rows that tell of the past keep the old one.
CREATE TABLE operator_renames (
  old_code TEXT PRIMARY KEY,
  new_code TEXT NOT NULL,
  renamed_at INTEGER NOT NULL,
  CHECK (old_code <> new_code)
) STRICT, WITHOUT ROWID;

-- Operators that are not coming back: what waits for them is given up, also what comes back to the queue later.
CREATE TABLE operators_retired (
  code TEXT PRIMARY KEY,
  retired_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Messages of which a segment was accepted by two attempts.
CREATE TABLE accepted_twice (
  message_id INTEGER PRIMARY KEY,
  -- For the second time.
  accepted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX accepted_twice_by_time ON accepted_twice (accepted_at, message_id);

-- OTPs that may be sent once more by another route, since nothing was heard of them, or that are just now.
CREATE TABLE second_sms (
  message_id INTEGER PRIMARY KEY,
  operator TEXT NOT NULL,
  -- The route that accepted it.
  route TEXT NOT NULL,
  -- NULL once the second was begun: there is never a third.
  due_at INTEGER,
  -- Of the second, once it was begun.
  attempt INTEGER,
  begun_at INTEGER,
  CHECK ((due_at IS NULL) = (attempt IS NOT NULL)),
  CHECK ((attempt IS NULL) = (begun_at IS NULL))
) STRICT;
CREATE INDEX second_sms_begun ON second_sms (message_id) WHERE due_at IS NULL;
CREATE INDEX second_sms_due ON second_sms (operator, due_at) WHERE due_at IS NOT NULL;

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
  -- How an accepted part left, and what its receipt said, as received. NULL of what was not noted.
  attempt INTEGER,
  connection INTEGER,
  sequence INTEGER,
  written_at INTEGER,
  pdu_parameters_id INTEGER,
  receipt_state TEXT,
  receipt_code TEXT,
  receipt_connection INTEGER,
  receipt_sequence INTEGER,
  -- The highest number that an unmatched receipt had when the submit left: only receipts above it can be about it. NULL of
  -- what was not noted.
  unmatched_before INTEGER,
  -- A part that was sent again for want of an answer may have been accepted under two ids.
  PRIMARY KEY (message_id, part, smsc_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX parts_by_smsc_key ON parts (operator, smsc_key);

-- Money is never purged: what the messages of a batch that are gone came to, by operator and price. Together with those that
-- are still there they make the figures of the batch.
CREATE TABLE purged_lines (
  batch_id INTEGER NOT NULL,
  operator TEXT NOT NULL,
  -- Of one segment.
  price INTEGER NOT NULL,
  messages INTEGER NOT NULL CHECK (messages > 0),
  segments INTEGER NOT NULL,
  -- Of what they cost whole; the rest was released.
  charged INTEGER NOT NULL CHECK (charged >= 0),
  -- What of the reservations is more than the ways cost that carried the messages: the dearer of two ways is reserved.
  excess_amount INTEGER NOT NULL DEFAULT 0 CHECK (excess_amount >= 0),
  PRIMARY KEY (batch_id, operator, price)
) STRICT, WITHOUT ROWID;

-- Blocks of 1,024 ids of which messages changed although their clients saw nothing of it, until what is derived from messages was told.
CREATE TABLE quiet_moves (
  block INTEGER PRIMARY KEY
) STRICT;

-- What the guards remember is first written here as it comes, a row for messages whose ids follow each other: by recipient, each of
-- them would write a page of its own. From here they go into recent_messages, many at once in its order.
CREATE TABLE recent_message_runs (
  first_message_id INTEGER PRIMARY KEY,
  planned_at INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- For each message a hash of account and number and one of the rendered text: two IEEE 754 doubles, the lowest octet first.
  keys BLOB NOT NULL CHECK (length(keys) > 0 AND length(keys) % 16 = 0)
) STRICT;

-- What an account sent to a number lately. A repetition is looked up by number and text, a cap by number among marketing: a number
-- that gets 20,000 texts a day costs what any other does.
CREATE TABLE recent_messages (
  -- A hash of account and number; the message tells whether it is really them.
  recipient_key INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- A hash of the rendered text.
  text_key INTEGER NOT NULL,
  planned_at INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (recipient_key, is_marketing, text_key, planned_at, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recent_sends_by_age ON recent_messages (is_marketing, planned_at, message_id);

CREATE TABLE rejections (
  batch_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  msisdn TEXT,
  reason TEXT NOT NULL,
  client_reference TEXT,
  PRIMARY KEY (batch_id, position)
) STRICT, WITHOUT ROWID;

-- What was decided since the newest restore, in its order: the last that fits a class and an operator counts.
CREATE TABLE restore_decisions (
  id INTEGER PRIMARY KEY,
  -- NULL: every class; every operator.
  message_class TEXT,
  operator TEXT,
  waiting TEXT NOT NULL CHECK (waiting IN ('hold', 'policy', 'send', 'give-up')),
  died_at INTEGER NOT NULL,
  -- 0: it is being carried out for what waits.
  is_done INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1))
) STRICT;

-- Restores of this database from a backup. Until the first `resumed_at` nothing new is accepted and nothing is sent.
CREATE TABLE restores (
  id INTEGER PRIMARY KEY,
  restored_at INTEGER NOT NULL,
  -- The backup: its file, and the moment it holds.
  file TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- The highest number that an unmatched receipt, and a note, had in the copy.
  unmatched_before INTEGER NOT NULL,
  notes_before INTEGER NOT NULL,
  resumed_at INTEGER,
  -- The last batch of the copy.
  last_batch_id INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The recipients of a batch that is validated after its 202, in pieces that are read one at a time.
CREATE TABLE submitted_recipients (
  batch_id INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  -- A JSON array of {msisdn, attributes}.
  recipients TEXT NOT NULL,
  PRIMARY KEY (batch_id, piece)
) STRICT, WITHOUT ROWID;

-- Batches that were not over yet when a pass of the purge came to them: looked at by it until they are.
CREATE TABLE unpurged_batches (
  account_id INTEGER NOT NULL,
  pass TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass, batch_id)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- domain/messages/search

-- What of the figures each block has told, so that it can tell what changed.
CREATE TABLE block_figures (
  block INTEGER PRIMARY KEY,
  figures TEXT NOT NULL
) STRICT;

-- What became of messages, by the day of their acceptance: told from them in blocks behind the sending, beside what searches go by.
-- They stay when the messages are gone.
CREATE TABLE delivery_figures (
  -- 0: a day in the appliance's timezone. 1: in that of the account, where it is another one.
  zone INTEGER NOT NULL CHECK (zone IN (0, 1)),
  -- As in 2026-03-01.
  day TEXT NOT NULL,
  facet_id INTEGER NOT NULL REFERENCES search_facets (id),
  messages INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  segments INTEGER NOT NULL,
  charged INTEGER NOT NULL,
  -- How long receipts took: a JSON object of counts by the logarithm of the milliseconds, to the base 1.1.
  times TEXT NOT NULL,
  PRIMARY KEY (zone, day, facet_id)
) STRICT, WITHOUT ROWID;

-- By the clocks of which timezone blocks told the days of their messages: of the appliance (account 0), and of accounts.
CREATE TABLE figure_zones (
  account_id INTEGER PRIMARY KEY,
  timezone TEXT NOT NULL
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

-- Up to which feed stamp what happened to an account's messages is marked in search_blocks. Blocks of before have no row yet.
CREATE TABLE search_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;

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

---------------------------------------------------------------- domain/submission

-- Answers that are kept for a repetition, each behind the one before it: what is oldest comes first, and needs no index. Keys are
-- whatever clients make up, so only they stand in their own order, and not the answers.
CREATE TABLE idempotency_records (
  id INTEGER PRIMARY KEY,
  api_key_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_sha256 BLOB NOT NULL,
  status INTEGER NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The batch whose rejected recipients an answer lists, and from which character of `response` on: they are kept once, as its rejections.
  rejections_of INTEGER,
  rejections_from INTEGER,
  UNIQUE (api_key_id, idempotency_key)
) STRICT;

-- Recipients accepted, per account and span: 'D' a calendar day of the account's zone, 'S' a second. `starts_at` is
-- when the span begins.
CREATE TABLE recipient_counts (
  account_id INTEGER NOT NULL,
  span TEXT NOT NULL CHECK (span IN ('D', 'S')),
  starts_at INTEGER NOT NULL,
  recipients INTEGER NOT NULL CHECK (recipients >= 0),
  PRIMARY KEY (account_id, span, starts_at)
) STRICT, WITHOUT ROWID;

-- Whose numbers are, said of a number or a prefix, before the configured prefixes are asked.
CREATE TABLE ported_imports (
  -- A larger one is newer. 0 is none: it stands for what is set by hand.
  id INTEGER PRIMARY KEY CHECK (id > 0),
  source TEXT,
  state TEXT NOT NULL CHECK (state IN ('STAGING', 'VALID', 'REPLACED')),
  valid_at INTEGER,
  -- How many there were in it.
  numbers INTEGER NOT NULL DEFAULT 0,
  prefixes INTEGER NOT NULL DEFAULT 0,
  -- Whether the rows that it overtook are gone.
  is_swept INTEGER NOT NULL DEFAULT 0 CHECK (is_swept IN (0, 1)),
  CHECK ((state = 'STAGING') = (valid_at IS NULL))
) STRICT;
CREATE INDEX ported_imports_unswept ON ported_imports (id) WHERE is_swept = 0;

-- A few operators, so that a row of a million names a small number, and `operator rename` changes one row.
CREATE TABLE ported_owners (
  id INTEGER PRIMARY KEY,
  -- NULL: no operator sends to it.
  operator TEXT
) STRICT;

CREATE TABLE ported_numbers (
  -- E.164 without "+".
  digits TEXT NOT NULL,
  is_prefix INTEGER NOT NULL CHECK (is_prefix IN (0, 1)),
  -- 0: set by hand.
  import_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  -- When it was set by hand; NULL in an import, which has its own time.
  since INTEGER,
  PRIMARY KEY (digits, is_prefix, import_id),
  CHECK ((import_id = 0) = (since IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX ported_prefixes ON ported_numbers (digits, owner_id) WHERE is_prefix = 1;
CREATE INDEX ported_overrides ON ported_numbers (digits) WHERE import_id = 0;

-- Changes with everything that decides whose a number is, so that what was read of it is known to be stale. No row: nothing ever did.
CREATE TABLE ported_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;

-- Rejected recipients of an account on one day of its zone, which began at that instant.
CREATE TABLE rejection_counts (
  account_id INTEGER PRIMARY KEY,
  day INTEGER NOT NULL,
  rejected INTEGER NOT NULL CHECK (rejected >= 0)
) STRICT;

---------------------------------------------------------------- ingress/compat

-- A callback that is to be made, until it was taken or given up.
CREATE TABLE compat_callbacks (
  id INTEGER PRIMARY KEY,
  message_ulid TEXT NOT NULL,
  msisdn TEXT,
  protocol TEXT NOT NULL CHECK (protocol IN ('kannel', 'jasmin')),
  url TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('GET', 'POST')),
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  -- The server that a callback goes to: each has its turn, and none waits for another's. '-' stands for those of before.
  host TEXT NOT NULL DEFAULT '-'
) STRICT;
CREATE INDEX compat_callbacks_due ON compat_callbacks (host, due_at);
-- Callbacks of a message are made one after the other.
CREATE INDEX compat_callbacks_of_message ON compat_callbacks (message_ulid);
CREATE INDEX compat_callbacks_to ON compat_callbacks (msisdn) WHERE msisdn IS NOT NULL;

-- How far the feed of an account was looked through for them; no row where nothing is followed.
CREATE TABLE compat_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;

-- A message whose client wants callbacks, until it is final and the last of them is written down.
CREATE TABLE compat_follows (
  message_id INTEGER PRIMARY KEY,
  message_ulid TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  protocol TEXT NOT NULL CHECK (protocol IN ('kannel', 'jasmin')),
  url TEXT NOT NULL,
  mask INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('GET', 'POST')),
  user_name TEXT NOT NULL,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  msisdn TEXT NOT NULL,
  is_sent INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX compat_follows_of_account ON compat_follows (account_id);

-- Who is told of the messages of a large batch, as JSON, until that is written out for each of them.
CREATE TABLE compat_follows_to_write (
  batch_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  follower TEXT NOT NULL
) STRICT;

---------------------------------------------------------------- ingress/smpp

-- A part of a long text that came over SMPP: it waits for the others, and stays without its octets for a while when its text is over.
CREATE TABLE smpp_parts (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL,
  -- Addresses as the client wrote them.
  source_ton INTEGER NOT NULL,
  source_npi INTEGER NOT NULL,
  source TEXT NOT NULL,
  dest_ton INTEGER NOT NULL,
  dest_npi INTEGER NOT NULL,
  destination TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('UDH8', 'UDH16', 'SAR')),
  reference INTEGER NOT NULL,
  total INTEGER NOT NULL,
  part INTEGER NOT NULL,
  -- data_coding.
  coding INTEGER NOT NULL,
  octets BLOB,
  digest BLOB NOT NULL,
  reply_id TEXT NOT NULL,
  registered INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  user_reference INTEGER,
  -- Those of part 1 hold for the text.
  message_class TEXT NOT NULL CHECK (message_class IN ('OTP', 'TRANSACTIONAL', 'MARKETING')),
  scheduled_at INTEGER,
  asked_time TEXT NOT NULL,
  expires_by INTEGER,
  client_reference TEXT,
  received_at INTEGER NOT NULL,
  -- NULL: waits. COMPLETE: its text was accepted. Else how it ended, as a receipt has it.
  state TEXT,
  ended_at INTEGER,
  CHECK ((state IS NULL) = (octets IS NOT NULL)),
  CHECK ((state IS NULL) = (ended_at IS NULL))
) STRICT;
CREATE INDEX smpp_parts_of_text ON smpp_parts (user_id, destination, reference, kind);
CREATE INDEX smpp_parts_by_reply ON smpp_parts (user_id, reply_id);
CREATE INDEX smpp_parts_waiting_of ON smpp_parts (user_id) WHERE state IS NULL;
CREATE INDEX smpp_parts_waiting ON smpp_parts (received_at) WHERE state IS NULL;
CREATE INDEX smpp_parts_ended ON smpp_parts (ended_at) WHERE ended_at IS NOT NULL;

-- What a user was answered: the message that an id stands for, one row for each part. Goes with its message.
CREATE TABLE smpp_follows (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  part INTEGER NOT NULL,
  reply_id TEXT NOT NULL,
  -- registered_delivery.
  registered INTEGER NOT NULL,
  source_ton INTEGER NOT NULL,
  source_npi INTEGER NOT NULL,
  source TEXT NOT NULL,
  dest_ton INTEGER NOT NULL,
  dest_npi INTEGER NOT NULL,
  destination TEXT NOT NULL,
  user_reference INTEGER,
  submitted_at INTEGER NOT NULL,
  -- Whether a receipt is still to be written, and whether the one about SENT was.
  is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
  is_sent_told INTEGER NOT NULL DEFAULT 0 CHECK (is_sent_told IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX smpp_follows_by_reply ON smpp_follows (reply_id, user_id);
CREATE INDEX smpp_follows_of_message ON smpp_follows (message_id);
CREATE INDEX smpp_follows_open ON smpp_follows (account_id) WHERE is_open = 1;
CREATE INDEX smpp_follows_of_user ON smpp_follows (user_id) WHERE is_open = 1;

-- What is to be delivered to a user until it was taken or given up: a receipt, of what was answered of a message or of a part that became
-- none, or a text that came in, which has nothing else.
CREATE TABLE smpp_receipts (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL,
  follow_id INTEGER,
  part_id INTEGER,
  inbound_id INTEGER,
  state TEXT,
  error TEXT,
  done_at INTEGER,
  first_due_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  CHECK ((follow_id IS NOT NULL) + (part_id IS NOT NULL) + (inbound_id IS NOT NULL) = 1),
  CHECK ((state IS NULL) = (inbound_id IS NOT NULL)),
  CHECK ((error IS NULL) = (inbound_id IS NOT NULL)),
  CHECK ((done_at IS NULL) = (inbound_id IS NOT NULL))
) STRICT;
CREATE INDEX smpp_receipts_due ON smpp_receipts (user_id, due_at);
CREATE INDEX smpp_receipts_of_follow ON smpp_receipts (follow_id) WHERE follow_id IS NOT NULL;
CREATE INDEX smpp_receipts_of_part ON smpp_receipts (part_id) WHERE part_id IS NOT NULL;
CREATE INDEX smpp_receipts_of_text ON smpp_receipts (inbound_id) WHERE inbound_id IS NOT NULL;
CREATE INDEX smpp_receipts_by_age ON smpp_receipts (user_id, first_due_at);

-- How far the feed of an account was looked through for receipts; no row where nothing is followed.
CREATE TABLE smpp_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;

-- The last ids of users whose form is counted, and receipts that were given up.
CREATE TABLE smpp_counters (
  user_id INTEGER PRIMARY KEY,
  last_decimal INTEGER NOT NULL DEFAULT 0,
  last_hex INTEGER NOT NULL DEFAULT 0,
  given_up INTEGER NOT NULL DEFAULT 0
) STRICT;

---------------------------------------------------------------- domain/inbound

-- Parts of long inbound texts. Those of a whole one stay for a while, to be known when they are sent again.
CREATE TABLE inbound_parts (
  operator TEXT NOT NULL,
  source TEXT NOT NULL,
  destination TEXT NOT NULL,
  reference INTEGER NOT NULL,
  total INTEGER NOT NULL,
  part INTEGER NOT NULL,
  data_coding INTEGER NOT NULL,
  octets BLOB NOT NULL,
  is_whole INTEGER NOT NULL DEFAULT 0 CHECK (is_whole IN (0, 1)),
  received_at INTEGER NOT NULL,
  PRIMARY KEY (operator, source, destination, reference, total, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_parts_by_age ON inbound_parts (received_at);

-- What subscribers sent in.
CREATE TABLE inbound_texts (
  id INTEGER PRIMARY KEY,
  operator TEXT NOT NULL,
  -- The two addresses as the operator writes them, and the first as E.164 where it is a number.
  source TEXT NOT NULL,
  destination TEXT NOT NULL,
  msisdn TEXT,
  data_coding INTEGER NOT NULL,
  -- What is no text is kept as octets.
  text TEXT,
  octets BLOB,
  -- Of a long one: how many parts it has, and how many of them never came.
  parts INTEGER NOT NULL,
  missing INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  -- How often it came, and when last: an answer of ours that is lost brings it again.
  times INTEGER NOT NULL DEFAULT 1,
  last_at INTEGER NOT NULL,
  -- A hash of operator, addresses and content.
  content_key INTEGER NOT NULL,
  -- The word that opted its sender out, and from whom: accounts, or 'everywhere'.
  keyword TEXT,
  opted_out_of TEXT,
  CHECK ((text IS NULL) <> (octets IS NULL)),
  CHECK ((keyword IS NULL) = (opted_out_of IS NULL))
) STRICT;
CREATE INDEX inbound_texts_by_age ON inbound_texts (received_at);
CREATE INDEX inbound_texts_by_content ON inbound_texts (content_key);
CREATE INDEX inbound_texts_of_operator ON inbound_texts (operator, received_at);
CREATE INDEX inbound_texts_stops ON inbound_texts (source) WHERE keyword IS NOT NULL;

---------------------------------------------------------------- dispatch

-- What an administrator paused: nothing leaves by it until it is resumed, whatever happens to the process.
CREATE TABLE operator_pauses (
  -- The code of an operator, or of a route, "orange/agg".
  operator TEXT NOT NULL,
  -- The connection's name, which it has wherever it stands in the list; '' is all of the operator.
  connection TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- Who paused it.
  actor TEXT NOT NULL,
  paused_at INTEGER NOT NULL,
  PRIMARY KEY (operator, connection)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- channels/sms

-- How far the references of recipients and senders have been counted: 1,024 rows of 256 counters, an octet each. A recipient and a
-- sender are one of the counters by a hash, so nobody's number stands here and no more rows are ever made.
CREATE TABLE concatenation_counters (
  place INTEGER PRIMARY KEY CHECK (place BETWEEN 0 AND 1023),
  reached BLOB NOT NULL CHECK (length(reached) = 256)
) STRICT;

-- The last message of which a text of several segments may have left under a reference by its number alone.
CREATE TABLE concatenation_start (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uncounted_through INTEGER NOT NULL
) STRICT;

-- Under which concatenation reference a text of several segments left, so that what is sent again of it joins what was sent before.
CREATE TABLE concatenations (
  message_id INTEGER PRIMARY KEY,
  reference INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255)
) STRICT;

-- Single texts that an administrator sent over an operator to see it work: of no account, without a price.
CREATE TABLE operator_tests (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE,
  operator TEXT NOT NULL,
  -- E.164 with "+".
  msisdn TEXT NOT NULL,
  sender TEXT NOT NULL,
  actor TEXT NOT NULL,
  -- Durable before its first byte leaves: what a process that died leaves behind is never sent by another.
  claimed_at INTEGER NOT NULL,
  -- The highest number of an unmatched receipt then.
  unmatched_before INTEGER NOT NULL,
  -- The connection's place in the list, from 1, once it left.
  connection INTEGER,
  submitted_at INTEGER,
  -- What came of the submit; NULL while nothing has.
  outcome TEXT CHECK (outcome = 'not_sent' OR outcome = 'unanswered' OR outcome = 'accepted' OR outcome = 'refused'),
  answered_at INTEGER,
  command_status INTEGER,
  smsc_id TEXT,
  smsc_key TEXT,
  -- The last receipt: what the operator calls it, and our word for a failure. receipt_at: of the one that ended it.
  raw_state TEXT,
  operator_code TEXT,
  failure TEXT,
  receipt_at INTEGER,
  -- 1: it carries an alert, and is none of those that an administrator may send in an hour.
  is_alert INTEGER NOT NULL DEFAULT 0 CHECK (is_alert IN (0, 1))
) STRICT;
CREATE INDEX operator_tests_by_age ON operator_tests (claimed_at);
CREATE INDEX operator_tests_by_key ON operator_tests (smsc_key) WHERE smsc_key IS NOT NULL;
CREATE INDEX operator_tests_by_number ON operator_tests (msisdn);
CREATE INDEX operator_tests_by_time ON operator_tests (operator, claimed_at);
CREATE INDEX operator_tests_of_alerts ON operator_tests (msisdn, claimed_at) WHERE is_alert = 1;

-- Claims of texts of several segments that were to leave whole, in one submit_sm (message_payload): where nobody saw the end of such a
-- claim, the doubt is about all that it carried.
CREATE TABLE payload_claims (
  message_id INTEGER PRIMARY KEY,
  -- Which claim of the message, from 1; an older one says nothing about the newest.
  attempt INTEGER NOT NULL
) STRICT;

-- The messages that texts without a mark have named by id and number, each to another number, until there are enough.
CREATE TABLE receipt_detection (
  account TEXT NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (account, message_id)
) STRICT, WITHOUT ROWID;

-- In which forms an operator's receipts gave the ids of its responses, once any was not the exact one.
CREATE TABLE receipt_id_forms (
  operator TEXT NOT NULL,
  form TEXT NOT NULL CHECK (form IN ('exact', 'padded', 'decimal', 'hexadecimal')),
  matches INTEGER NOT NULL,
  PRIMARY KEY (operator, form)
) STRICT, WITHOUT ROWID;

-- How each SMSC account sends receipts: a subscriber can type the text of one, but not its mark.
CREATE TABLE smsc_accounts (
  -- system_id@host:port
  account TEXT PRIMARY KEY,
  -- What the configuration says of receipts without a mark.
  unmarked_receipts TEXT NOT NULL DEFAULT 'auto' CHECK (unmarked_receipts IN ('auto', 'always', 'never')),
  -- 'marked' once one came with a mark, 'unmarked' once enough came without and none with.
  seen TEXT CHECK (seen IN ('marked', 'unmarked')),
  seen_at INTEGER,
  -- What was unmatched before is settled as the row says now.
  is_swept INTEGER NOT NULL DEFAULT 1 CHECK (is_swept IN (0, 1)),
  CHECK ((seen IS NULL) = (seen_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX smsc_accounts_to_sweep ON smsc_accounts (account) WHERE is_swept = 0;

-- The bit of each route that ever refused a message, or said "later" too often: marks of messages that wait. A bit is not reused while
-- one of them has it.
CREATE TABLE route_bits (
  operator TEXT NOT NULL,
  route TEXT NOT NULL,
  bit INTEGER NOT NULL,
  PRIMARY KEY (operator, route),
  UNIQUE (operator, bit)
) STRICT, WITHOUT ROWID;

-- Why a message left a route for another: by the claim that ended so, from 1.
CREATE TABLE routed (
  message_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  -- The route that it left; '' where that is not known, as after a crash.
  route TEXT NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('REFUSED', 'LATER', 'UNANSWERED', 'SILENT')),
  routed_at INTEGER NOT NULL,
  -- By which it went on; NULL where the queue decides that later.
  next_route TEXT,
  PRIMARY KEY (message_id, attempt)
) STRICT, WITHOUT ROWID;

-- What submits that look the same share, once: the fields of the PDU, and the SMSC account that they left for, to which their
-- receipts belong.
CREATE TABLE submit_pdu_parameters (
  id INTEGER PRIMARY KEY,
  -- system_id@host:port; NULL of what left before that was noted.
  account TEXT,
  -- The name of the operator's route; '' where it has none.
  route TEXT NOT NULL DEFAULT '',
  -- A JSON object of its fields.
  fields TEXT NOT NULL,
  UNIQUE (account, route, fields)
) STRICT;

-- Submits that were not accepted there and then: refused, throttled (PUT_OFF), or without an answer.
CREATE TABLE unaccepted_submits (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  -- Of a submit that carried a whole message in one, its first and its last part.
  first_part INTEGER NOT NULL,
  last_part INTEGER NOT NULL,
  operator TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('REFUSED', 'PUT_OFF', 'UNANSWERED')),
  command_status INTEGER,
  -- The last of `times` that ended so.
  times INTEGER NOT NULL DEFAULT 1,
  attempt INTEGER,
  connection INTEGER,
  sequence INTEGER,
  pdu_parameters_id INTEGER,
  -- When it left at the earliest, and when it ended so.
  written_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  -- The end of the recipient's number, while the outcome is unknown; NULL once it is known, or given up.
  number_key TEXT,
  unmatched_before INTEGER,
  -- Of an unanswered submit: the name of the route that it left by, '' where that is not known; NULL where the operator has no routes.
  route TEXT,
  -- On which day and at what cost its segments are booked if it was accepted after all: thousandths of XOF a segment, NULL where not known.
  cost_day TEXT,
  cost_milli INTEGER,
  -- The form of the id under which a receipt showed that it was accepted, while it is in route_costs for that.
  booked_key TEXT,
  CHECK ((outcome = 'UNANSWERED') = (command_status IS NULL)),
  CHECK (number_key IS NULL OR outcome = 'UNANSWERED')
) STRICT;
CREATE INDEX unaccepted_submits_by_age ON unaccepted_submits (ended_at, id) WHERE number_key IS NOT NULL;
CREATE INDEX unaccepted_submits_by_number ON unaccepted_submits (operator, number_key) WHERE number_key IS NOT NULL;
CREATE INDEX unaccepted_submits_by_route ON unaccepted_submits (operator, route) WHERE number_key IS NOT NULL AND route IS NOT NULL;
CREATE INDEX unaccepted_submits_of_message ON unaccepted_submits (message_id, id);

-- What was posted to another Bendre: the newest post of a message, by whose feed tells of it.
CREATE TABLE partner_posts (
  message_id INTEGER NOT NULL,
  -- The address of the API that it was posted to.
  feed TEXT NOT NULL,
  -- How many idempotency keys the message has had there.
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
  -- As its owner gave it.
  at TEXT NOT NULL,
  PRIMARY KEY (operator, connection)
) STRICT, WITHOUT ROWID;

-- What routes cost: every segment that an operator with routes accepted, at the cost in force. Kept as long as the ledger, and no part
-- of it; it has no numbers.
CREATE TABLE route_costs (
  -- Of the acceptance, in the appliance's timezone, as in 2026-03-01.
  day TEXT NOT NULL,
  operator TEXT NOT NULL,
  -- The route's name; '' where it is not known, as after a crash.
  route TEXT NOT NULL,
  -- The account's id; 0 for tests and alerts, which are nobody's.
  account INTEGER NOT NULL,
  class TEXT NOT NULL,
  segments INTEGER NOT NULL,
  -- Thousandths of XOF, of the segments whose cost is known.
  cost_milli INTEGER NOT NULL,
  -- How many of the segments have no known cost.
  unknown_cost_segments INTEGER NOT NULL,
  PRIMARY KEY (day, operator, route, account, class)
) STRICT, WITHOUT ROWID;

-- How messages ended by their receipts, by the route that carried them: what is usual of a route. Hours are numbered since the epoch,
-- and kept for a week.
CREATE TABLE route_hours (
  hour INTEGER NOT NULL,
  operator TEXT NOT NULL,
  route TEXT NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (hour, operator, route)
) STRICT, WITHOUT ROWID;

-- Receipts that fit no message known yet, or that do not count yet. Their numbers tell the order in which receipts came and submits
-- left, so none is ever given twice.
CREATE TABLE unmatched_receipts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operator TEXT NOT NULL,
  smsc_id TEXT NOT NULL,
  smsc_key TEXT NOT NULL,
  msisdn TEXT NOT NULL,
  other_number TEXT NOT NULL,
  -- The end of the handset's number; NULL where it has none, and where the receipt names no message.
  number_key TEXT,
  state TEXT NOT NULL,
  raw_state TEXT NOT NULL,
  operator_code TEXT,
  received_at INTEGER NOT NULL,
  -- esm_class or optional parameters said that it is a receipt, not only its text.
  is_marked INTEGER NOT NULL CHECK (is_marked IN (0, 1)),
  text TEXT,
  connection INTEGER,
  sequence INTEGER,
  -- The account whose session brought it; NULL of what came before that was noted.
  account TEXT
) STRICT;
CREATE INDEX unmatched_receipts_by_age ON unmatched_receipts (received_at);
CREATE INDEX unmatched_receipts_by_number ON unmatched_receipts (operator, number_key) WHERE number_key IS NOT NULL;
CREATE INDEX unmatched_receipts_by_smsc_key ON unmatched_receipts (operator, smsc_key);
CREATE INDEX unmatched_receipts_unmarked ON unmatched_receipts (account, id) WHERE is_marked = 0;

-- An unmatched receipt without a mark, as it came: where it turns out to be none it becomes an inbound text.
CREATE TABLE unmatched_texts (
  receipt_id INTEGER PRIMARY KEY,
  source_addr TEXT NOT NULL,
  source_addr_ton INTEGER NOT NULL,
  destination_addr TEXT NOT NULL,
  data_coding INTEGER NOT NULL,
  octets BLOB NOT NULL
) STRICT;

---------------------------------------------------------------- channels/whatsapp

-- How often Meta priced text without a template as another category than its class, by number and class since somebody looked last.
CREATE TABLE whatsapp_direct_prices (
  -- The number's operator code.
  operator TEXT NOT NULL,
  message_class TEXT NOT NULL,
  mispriced INTEGER NOT NULL,
  -- The category of the latest of them.
  priced_as TEXT NOT NULL,
  -- Since when no such text of the class leaves by the number; null: it does.
  stopped_at INTEGER,
  released_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (operator, message_class)
) STRICT, WITHOUT ROWID;

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
  -- What Meta calls the user whom a post reached, where a status told it: of a user who shows no number nothing else says whose a text is.
  user_id TEXT,
  -- What Meta calls a user, in digits, where that is not the number that was written to: by the answer to the post, or by a status.
  wa_id TEXT,
  PRIMARY KEY (message_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX whatsapp_posts_closing ON whatsapp_posts (close_at) WHERE close_at IS NOT NULL;
-- Who was written to in the last day.
CREATE INDEX whatsapp_posts_times ON whatsapp_posts (posted_at);
CREATE INDEX whatsapp_posts_users ON whatsapp_posts (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX whatsapp_posts_wa_ids ON whatsapp_posts (wa_id) WHERE wa_id IS NOT NULL;
CREATE INDEX whatsapp_posts_wamid ON whatsapp_posts (wamid) WHERE wamid IS NOT NULL;

-- The newest that Meta told of a user's wish for marketing by a number of ours: calls come twice and out of order.
CREATE TABLE whatsapp_preferences (
  -- The number's operator code when it was told.
  operator TEXT NOT NULL,
  -- E.164 with '+', or the name in place of a number that was erased.
  recipient TEXT NOT NULL,
  -- When the user said it, as Meta tells it.
  said_at INTEGER NOT NULL,
  is_stop INTEGER NOT NULL CHECK (is_stop IN (0, 1)),
  PRIMARY KEY (operator, recipient)
) STRICT, WITHOUT ROWID;
-- To find what is erased.
CREATE INDEX whatsapp_preferences_of ON whatsapp_preferences (recipient);

-- A number that Meta has stopped. token_digest: of the token it had then.
CREATE TABLE whatsapp_stops (
  number TEXT PRIMARY KEY,
  code INTEGER NOT NULL,
  token_digest TEXT NOT NULL,
  stopped_at INTEGER NOT NULL
) STRICT;

-- When the templates of an account were read last, and why they could not be.
CREATE TABLE whatsapp_syncs (
  waba_id TEXT PRIMARY KEY,
  tried_at INTEGER NOT NULL,
  synced_at INTEGER,
  error TEXT
) STRICT;

-- A template of a WhatsApp Business account as Meta listed it last. why_not: why it cannot be sent; null for one that can.
CREATE TABLE whatsapp_templates (
  waba_id TEXT NOT NULL,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL,
  category TEXT NOT NULL,
  -- The text of its body with its parameters, as Meta writes them.
  body TEXT NOT NULL,
  -- A JSON array: the names of its parameters, each once, in the order of their first appearance.
  parameters TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('NAMED', 'POSITIONAL')),
  -- Whether the code is given a second time, for the button that copies it.
  copies_code INTEGER NOT NULL CHECK (copies_code IN (0, 1)),
  quality TEXT,
  -- How long Meta tries to deliver it; null where it does not say.
  ttl_seconds INTEGER,
  why_not TEXT,
  first_seen_at INTEGER NOT NULL,
  synced_at INTEGER NOT NULL,
  -- What Meta tells of a template between two readings, by its webhook or as it refuses a post. heard: by our clock, when it came; a
  -- reading that had begun before knows less. told: by Meta's clock, when it happened; what happened before is no news. 0: never.
  status_heard_at INTEGER NOT NULL DEFAULT 0,
  status_told_at INTEGER NOT NULL DEFAULT 0,
  category_heard_at INTEGER NOT NULL DEFAULT 0,
  category_told_at INTEGER NOT NULL DEFAULT 0,
  -- Since when it cannot be sent; NULL for one that can, and for one that never could.
  unusable_since INTEGER,
  -- When it was moved to the category that it has; NULL: it was not.
  moved_at INTEGER,
  -- Deliveries that Meta priced as another category than their message's class, since somebody released the template last. priced_as: what
  -- it priced the latest as. price_stopped_at: since when nothing is sent with it for that.
  mispriced INTEGER NOT NULL DEFAULT 0,
  priced_as TEXT,
  price_stopped_at INTEGER,
  released_at INTEGER NOT NULL DEFAULT 0,
  -- What Meta's webhook tells of a template's quality between two readings; heard and told as of its status.
  quality_heard_at INTEGER NOT NULL DEFAULT 0,
  quality_told_at INTEGER NOT NULL DEFAULT 0,
  -- A category that Meta has announced, and when it will be the template's; NULL: none. No reading of Meta's list tells it.
  moves_to TEXT,
  moves_at INTEGER,
  move_told_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (waba_id, name, language)
) STRICT, WITHOUT ROWID;

-- A status that came before anything is known of its message, as it was told.
CREATE TABLE whatsapp_unmatched_statuses (
  wamid TEXT NOT NULL,
  status TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  told TEXT NOT NULL,
  PRIMARY KEY (wamid, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX whatsapp_unmatched_statuses_times ON whatsapp_unmatched_statuses (received_at);

---------------------------------------------------------------- channels/sandbox

-- What a sandbox waits for: an instant, and what happens to the message then.
CREATE TABLE sandbox_steps (
  message_id INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL,
  step TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_steps_due ON sandbox_steps (due_at);

---------------------------------------------------------------- ops

-- Rules that notify nobody until a time.
CREATE TABLE alert_silences (
  rule TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What lasts of what somebody should know, and what was notified of it, so that a restart notifies of nothing twice.
CREATE TABLE alerts (
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  since INTEGER NOT NULL,
  is_firing INTEGER NOT NULL CHECK (is_firing IN (0, 1)),
  -- When somebody was notified last; NULL where nobody was.
  notified_at INTEGER,
  -- When it was over; NULL while it lasts.
  cleared_at INTEGER,
  -- JSON: when it started within the last hour, and what its words are made of.
  starts TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (rule, subject)
) STRICT, WITHOUT ROWID;

-- Backups that were made of this database, by the path they were given. A file may be gone, and others may lie beside it.
CREATE TABLE backups (
  file TEXT PRIMARY KEY,
  made_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  schema INTEGER NOT NULL,
  -- When it was last found sound, when it was last restored as a test, and why the last look failed; NULL where it did not.
  verified_at INTEGER,
  drilled_at INTEGER,
  failure TEXT
) STRICT, WITHOUT ROWID;

-- What became of messages by operator and hour, for the share of those that are delivered.
CREATE TABLE delivery_hours (
  operator TEXT NOT NULL,
  hour INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (operator, hour)
) STRICT, WITHOUT ROWID;

-- Notifications of alerts, pending and past: a row for each address of a channel.
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  -- The address; '' of a channel that has a single one.
  recipient TEXT NOT NULL,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'start' OR state = 'repeat' OR state = 'end'),
  since INTEGER NOT NULL,
  -- JSON: what its words are made of.
  facts TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Why the last attempt failed.
  error TEXT,
  -- NULL while it waits.
  outcome TEXT CHECK (outcome = 'told' OR outcome = 'joined' OR outcome = 'dropped' OR outcome = 'given up'),
  ended_at INTEGER,
  -- The test message that carried one of the channel "sms" last, or may have.
  test_id INTEGER
) STRICT;
CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX notifications_waiting ON notifications (channel, id) WHERE outcome IS NULL;

-- Alerts since when, until when: what ended longer ago than an hour has no row in `alerts`.
CREATE TABLE past_alerts (
  id INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  since INTEGER NOT NULL,
  -- NULL while it lasts.
  ended_at INTEGER,
  -- JSON: what its words are made of.
  facts TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX past_alerts_lasting ON past_alerts (rule, subject) WHERE ended_at IS NULL;

---------------------------------------------------------------- webhooks

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
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (id) WHERE status = 'ENABLED';
CREATE INDEX webhook_endpoints_of_account ON webhook_endpoints (account_id, id);

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

INSERT INTO concatenation_start (id, uncounted_through) VALUES (1, 0);
