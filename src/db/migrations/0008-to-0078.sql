-- From there to the last of the schemas that were numbered one by one: what each of them did, in order.

-- ===== 9: short names

-- What people type in place of an account's id. NULL for none.
ALTER TABLE accounts ADD COLUMN short_name TEXT
  CHECK (length(short_name) BETWEEN 2 AND 20 AND short_name NOT GLOB '*[^a-z0-9-]*');
CREATE UNIQUE INDEX accounts_by_short_name ON accounts (short_name) WHERE short_name IS NOT NULL;

-- ===== 10: times as they are

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

-- The wall time that the appliance last believed while it ran, noted now and then: the clock of the next start is compared
-- with it.
CREATE TABLE clock_mark (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  wall_at INTEGER NOT NULL
) STRICT;
INSERT INTO clock_mark (id, wall_at)
SELECT 1, max(newest.at) FROM (
  SELECT (SELECT created_at FROM batches ORDER BY id DESC LIMIT 1) AS at
  UNION ALL SELECT (SELECT at FROM audit_entries ORDER BY id DESC LIMIT 1)
) AS newest HAVING max(newest.at) IS NOT NULL;

-- The batches of an account in the order that lists and invoices ask for: a clock that went back between two of them has not
-- turned their ids and their times alike.
DROP INDEX batches_of_account;
CREATE INDEX batches_of_account ON batches (account_id, created_at);

-- ===== 11: operators that left

-- Operators that go by another code since: rows that tell of the past keep the old one.
CREATE TABLE operator_renames (
  old_code TEXT PRIMARY KEY,
  new_code TEXT NOT NULL,
  renamed_at INTEGER NOT NULL,
  CHECK (old_code <> new_code)
) STRICT, WITHOUT ROWID;

-- Claimed messages apart by whether somebody waits for an answer in flight, or for one that is overdue: the first are
-- no more than the windows and outboxes hold, so looking through them for what nobody holds costs that much.
DROP INDEX messages_submitted;
CREATE INDEX messages_under_way ON messages (msisdn) WHERE status = 'SUBMITTED' AND unanswered_until IS NULL;
CREATE INDEX messages_in_doubt ON messages (msisdn) WHERE unanswered_until IS NOT NULL;

-- ===== 12: retired operators

-- Operators that are not coming back: what waits for them is given up, also what comes back to the queue later.
CREATE TABLE operators_retired (
  code TEXT PRIMARY KEY,
  retired_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- ===== 13: notes counted

-- A note that comes again is counted: an operator may repeat an intermediate receipt for as long as it likes.
ALTER TABLE message_notes ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
-- When it came last; null for notes from before they were counted.
ALTER TABLE message_notes ADD COLUMN last_at INTEGER;

-- ===== 14: receipts of accounts

-- What each operator's connections bind to: receipts come by any session of an SMSC account, and several operators may
-- share one. What an operator was bound to before is remembered for a while, since receipts of that time still come.
CREATE TABLE operator_accounts (
  operator TEXT NOT NULL,
  -- system_id@host:port
  account TEXT NOT NULL,
  -- When it was first found not to be configured any more; NULL while it is.
  left_at INTEGER,
  -- Receipts that were parked before this row was written have been tried again.
  is_swept INTEGER NOT NULL DEFAULT 0 CHECK (is_swept IN (0, 1)),
  PRIMARY KEY (operator, account)
) STRICT, WITHOUT ROWID;

-- The highest number that a parked receipt had when the submit left: only receipts above it can be about it. NULL of
-- what was not noted.
ALTER TABLE parts ADD COLUMN parked_before INTEGER;
ALTER TABLE unaccepted_submits ADD COLUMN parked_before INTEGER;

-- Their numbers tell the order in which receipts came and submits left, so none is ever given twice.
CREATE TABLE parked_receipts_in_order (
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
  sequence INTEGER
) STRICT;
INSERT INTO parked_receipts_in_order
  SELECT id, operator, smsc_id, smsc_key, msisdn, other_number, number_key, state, raw_state, operator_code,
    received_at, is_marked, text, connection, sequence
  FROM parked_receipts ORDER BY id;
DROP TABLE parked_receipts;
ALTER TABLE parked_receipts_in_order RENAME TO parked_receipts;
CREATE INDEX parked_receipts_by_smsc_key ON parked_receipts (operator, smsc_key);
CREATE INDEX parked_receipts_by_number ON parked_receipts (operator, number_key) WHERE number_key IS NOT NULL;
CREATE INDEX parked_receipts_by_age ON parked_receipts (received_at);

-- ===== 15: found by what is due

-- Work is found from what is due, never by looking at all batches that have not ended: most of them only wait for receipts.
-- Each index holds what one search is after and nothing else.
DROP INDEX batches_called_off;

-- No message that waits for its receipt was SENT before this. NULL: none can wait. It is where the search for overdue
-- receipts begins, and moves on with it.
ALTER TABLE batches ADD COLUMN awaiting_since INTEGER;
UPDATE batches SET awaiting_since = created_at
WHERE unfinished > 0 AND (submitted > 0 OR status IN ('SENDING', 'CANCELLED'));

DROP INDEX batches_open;
CREATE INDEX batches_staged ON batches (id) WHERE status = 'STAGING';
CREATE INDEX batches_validating ON batches (account_id, id) WHERE status = 'VALIDATING';
CREATE INDEX batches_scheduled ON batches (scheduled_at) WHERE status = 'SCHEDULED' AND cancel_reason IS NULL;
CREATE INDEX batches_awaiting ON batches (awaiting_since) WHERE awaiting_since IS NOT NULL;

-- ===== 16: unmarked receipts

-- How each SMSC account sends receipts: a subscriber can type the text of one, but not its mark.
CREATE TABLE smsc_accounts (
  -- system_id@host:port
  account TEXT PRIMARY KEY,
  -- What the configuration says of receipts without a mark.
  unmarked_receipts TEXT NOT NULL DEFAULT 'auto' CHECK (unmarked_receipts IN ('auto', 'always', 'never')),
  -- 'marked' once one came with a mark, 'unmarked' once enough came without and none with.
  seen TEXT CHECK (seen IN ('marked', 'unmarked')),
  seen_at INTEGER,
  -- What was parked before is settled as the row says now.
  is_swept INTEGER NOT NULL DEFAULT 1 CHECK (is_swept IN (0, 1)),
  CHECK ((seen IS NULL) = (seen_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX smsc_accounts_to_sweep ON smsc_accounts (account) WHERE is_swept = 0;

-- The messages that texts without a mark have named by id and number, each to another number, until there are enough.
CREATE TABLE unmarked_evidence (
  account TEXT NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (account, message_id)
) STRICT, WITHOUT ROWID;

-- The account whose session brought it; NULL of what was parked before that was noted.
ALTER TABLE parked_receipts ADD COLUMN account TEXT;
CREATE INDEX parked_receipts_unmarked ON parked_receipts (account, id) WHERE is_marked = 0;

-- A parked receipt without a mark, as it came: where it turns out to be none it becomes an inbound text.
CREATE TABLE parked_texts (
  receipt_id INTEGER PRIMARY KEY,
  source_addr TEXT NOT NULL,
  source_addr_ton INTEGER NOT NULL,
  destination_addr TEXT NOT NULL,
  data_coding INTEGER NOT NULL,
  octets BLOB NOT NULL
) STRICT;

-- ===== 17: sends by text

-- A repetition is looked up by number and text, a cap by number among marketing: a number that gets 20,000 texts a day costs what
-- any other does.
CREATE TABLE sends_by_text (
  -- A hash of account and number; the message tells whether it is really them.
  recipient_key INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- A hash of the rendered text.
  text_key INTEGER NOT NULL,
  planned_at INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (recipient_key, is_marketing, text_key, planned_at, message_id)
) STRICT, WITHOUT ROWID;
INSERT INTO sends_by_text (recipient_key, is_marketing, text_key, planned_at, message_id)
SELECT recipient_key, is_marketing, text_key, planned_at, message_id FROM recent_sends;
DROP TABLE recent_sends;
ALTER TABLE sends_by_text RENAME TO recent_sends;
CREATE INDEX recent_sends_by_age ON recent_sends (is_marketing, planned_at);

-- ===== 18: feed of a batch

-- With batch_id in it, the messages of one batch are found in the account's feed without looking at those of others.
DROP INDEX messages_feed;
CREATE INDEX messages_feed ON messages (account_id, stamp_us, is_final, batch_id) WHERE stamp_us IS NOT NULL;

-- ===== 19: claims in order

-- The highest number that a parked receipt had when the message was claimed last: what a crash leaves in doubt left after
-- that. NULL of what was not noted.
ALTER TABLE messages ADD COLUMN parked_before INTEGER;

-- ===== 20: senders by name

-- Whose a sender is that a subscriber answers to with STOP.
CREATE INDEX senders_by_name ON senders (name, account_id) WHERE status = 'APPROVED';

-- ===== 21: entries by cause

-- The entries of a batch are found by their cause, which begins with its name: no index by batch is written with each.
DROP INDEX ledger_of_batch;

-- ===== 22: stamps as they stand

-- The highest feed stamp of an account stands in its messages and in the last run of its batches, which indexes find.
DROP TABLE feed_clocks;

-- ===== 23: sends in order

-- Sends of one time stand in the order of their messages, which is that of writing: those of a campaign are written side by side,
-- and not each into a page of its own.
DROP INDEX recent_sends_by_age;
CREATE INDEX recent_sends_by_age ON recent_sends (is_marketing, planned_at, message_id);

-- ===== 24: closed accounts

-- When an account was closed, NULL while it is not. A closed one is SUSPENDED as well, so that whatever asks whether an account
-- may send needs to know nothing of it.
ALTER TABLE accounts ADD COLUMN closed_at INTEGER CHECK (closed_at IS NULL OR status = 'SUSPENDED');

-- ===== 25: sends in runs

-- What the guards remember is first written as it comes, a row for messages whose ids follow each other: by recipient, each of them
-- would write a page of its own. From here they go into recent_sends, many at once in its order.
CREATE TABLE send_runs (
  first_message_id INTEGER PRIMARY KEY,
  planned_at INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- For each message a hash of account and number and one of the rendered text: two IEEE 754 doubles, the lowest octet first.
  keys BLOB NOT NULL CHECK (length(keys) > 0 AND length(keys) % 16 = 0)
) STRICT;

-- ===== 26: backups

-- Backups that were made of this database, by the path they were given. A file may be gone, and others may lie beside it.
CREATE TABLE backups (
  file TEXT PRIMARY KEY,
  made_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  schema INTEGER NOT NULL,
  -- When it was last found sound, when it was last restored for a trial, and why the last look failed; NULL where it did not.
  verified_at INTEGER,
  drilled_at INTEGER,
  failure TEXT
) STRICT, WITHOUT ROWID;

-- ===== 27: restores

-- Restores of this database from a backup. Until the first `resumed_at` nothing new is accepted and nothing is sent.
CREATE TABLE restores (
  id INTEGER PRIMARY KEY,
  restored_at INTEGER NOT NULL,
  -- The backup: its file, and the moment it holds.
  file TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- The highest number that a parked receipt, and a note, had in the copy.
  parked_before INTEGER NOT NULL,
  notes_before INTEGER NOT NULL,
  resumed_at INTEGER
) STRICT;

-- What waited in the copy and may have left since: a batch and the operator it waits for; '' while it is not validated.
CREATE TABLE held_places (
  batch_id INTEGER NOT NULL,
  operator TEXT NOT NULL,
  -- Messages up to this one have been decided.
  decided_through INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (batch_id, operator)
) STRICT, WITHOUT ROWID;

-- What was with an operator in the copy, and goes by the rule of its class once that is decided.
CREATE TABLE held_flights (
  message_id INTEGER PRIMARY KEY
) STRICT;

-- ===== 28: search

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

-- ===== 29: replies in order

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

-- ===== 30: purged messages

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
  PRIMARY KEY (batch_id, operator, price)
) STRICT, WITHOUT ROWID;

-- How far passes over what only grows have come: everything of an account up to a place was looked at.
CREATE TABLE pass_marks (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  pass TEXT NOT NULL,
  -- A feed stamp, or the time a batch was accepted; and the row among those of one time.
  at INTEGER NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass)
) STRICT, WITHOUT ROWID;

-- ===== 31: upgrades

-- Which executable brought the schema here, and the backup that it made before; NULL of a new database and of steps before this one.
ALTER TABLE schema_history ADD COLUMN executable TEXT;
ALTER TABLE schema_history ADD COLUMN backup TEXT;

-- ===== 32: daily sizes

-- How much of the database was in use on a day since the beginning of 1970, for whoever asks how fast it grows.
CREATE TABLE daily_sizes (
  day INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;

-- ===== 33: operator pauses

-- What an administrator paused: nothing leaves by it until it is resumed, whatever happens to the process.
CREATE TABLE operator_pauses (
  operator TEXT NOT NULL,
  -- The connection's name, which it has wherever it stands in the list; '' is all of the operator.
  connection TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- Who paused it.
  actor TEXT NOT NULL,
  paused_at INTEGER NOT NULL,
  PRIMARY KEY (operator, connection)
) STRICT, WITHOUT ROWID;

-- ===== 34: delivery figures

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

-- What of the figures each block has told, so that it can tell what changed.
CREATE TABLE block_figures (
  block INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL,
  -- A JSON array of [zone, day, facet, messages, sent, segments, charged, times].
  figures TEXT NOT NULL
) STRICT;

-- Blocks that were told without figures are told anew.
DELETE FROM search_blocks;

-- ===== 35: alarms

-- What lasts of what somebody should know, and what was told of it, so that a restart tells nothing twice.
CREATE TABLE alarms (
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  since INTEGER NOT NULL,
  is_firing INTEGER NOT NULL CHECK (is_firing IN (0, 1)),
  -- When somebody was told last; NULL where nobody was.
  told_at INTEGER,
  -- When it was over; NULL while it lasts.
  cleared_at INTEGER,
  -- JSON: when it started within the last hour, and what its words are made of.
  starts TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (rule, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE alarm_silences (
  rule TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is still to be told, by channel; a row is gone once it was taken, or given up.
CREATE TABLE alarm_letters (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL
) STRICT;

-- What became of messages by operator and hour, for the share of those that are delivered.
CREATE TABLE delivery_hours (
  operator TEXT NOT NULL,
  hour INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (operator, hour)
) STRICT, WITHOUT ROWID;

CREATE INDEX wallets_low ON wallets (account_id) WHERE is_low = 1;

-- ===== 36: submits of accounts

-- Receipts belong to the SMSC account that the submit left for: what all submits that look the same share says it too.
CREATE TABLE submit_shapes_of_accounts (
  id INTEGER PRIMARY KEY,
  -- system_id@host:port; NULL of what left before that was noted.
  account TEXT,
  -- A JSON object of its fields.
  fields TEXT NOT NULL,
  UNIQUE (account, fields)
) STRICT;
INSERT INTO submit_shapes_of_accounts (id, fields) SELECT id, fields FROM submit_shapes ORDER BY id;
DROP TABLE submit_shapes;
ALTER TABLE submit_shapes_of_accounts RENAME TO submit_shapes;

-- ===== 37: alarm letters

-- Each address of a channel has a letter of its own, which stays for a while once it was told. What waited in the
-- older form, which no release had, is let go: an alarm that lasts is told again within a day.
DROP TABLE alarm_letters;

CREATE TABLE alarm_letters (
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
  ended_at INTEGER
) STRICT;

CREATE INDEX alarm_letters_waiting ON alarm_letters (channel, id) WHERE outcome IS NULL;

CREATE INDEX alarm_letters_ended ON alarm_letters (ended_at) WHERE ended_at IS NOT NULL;

-- ===== 38: texts of batches

-- What an account's batches ask for their texts, where they don't say so themselves.
ALTER TABLE accounts ADD COLUMN text_policy TEXT NOT NULL DEFAULT 'as_is'
  CHECK (text_policy IN ('as_is', 'rewrite', 'gsm_only'));
ALTER TABLE accounts ADD COLUMN missing_attributes TEXT NOT NULL DEFAULT 'empty'
  CHECK (missing_attributes IN ('empty', 'reject'));

-- What was in force for a batch; null: 'as_is' and 'empty'. No CHECK: it would read every batch there is.
ALTER TABLE batches ADD COLUMN text_policy TEXT;
ALTER TABLE batches ADD COLUMN missing_attributes TEXT;
-- What its client is told of its tags, as the JSON array that is told; null for nothing.
ALTER TABLE batches ADD COLUMN warnings TEXT;

-- ===== 39: erased numbers

-- Suppressions of numbers that were erased: the number is a hash under a key that lies in no database.
CREATE TABLE erased_suppressions (
  -- 0: the appliance-wide list, which counts for every account.
  account_id INTEGER NOT NULL CHECK (account_id >= 0),
  number_name TEXT NOT NULL,
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, number_name, message_class)
) STRICT, WITHOUT ROWID;

-- ===== 40: cancel requests

-- When somebody asked for a batch to be cancelled; NULL where nobody did, as where it was too late for its schedule.
ALTER TABLE batches ADD COLUMN cancel_requested_at INTEGER;
UPDATE batches SET cancel_requested_at = asked.at
  FROM (SELECT subject, min(at) AS at FROM audit_entries WHERE action = 'batch cancel' GROUP BY subject) AS asked
  WHERE batches.ulid = asked.subject AND batches.cancel_reason = 'CANCELLED';

-- ===== 41: batches set apart

-- Batches that went another way than most, for lists by status. One that is sent and settled never stands here.
CREATE INDEX batches_set_apart ON batches (account_id, created_at)
  WHERE status IN ('VALIDATING', 'SCHEDULED', 'REJECTED', 'FAILED', 'CANCELLED');

-- ===== 42: operator tests

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
  -- The highest number of a parked receipt then.
  parked_before INTEGER NOT NULL,
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
  receipt_at INTEGER
) STRICT;

CREATE INDEX operator_tests_by_time ON operator_tests (operator, claimed_at);
CREATE INDEX operator_tests_by_age ON operator_tests (claimed_at);
CREATE INDEX operator_tests_by_key ON operator_tests (smsc_key) WHERE smsc_key IS NOT NULL;
CREATE INDEX operator_tests_by_number ON operator_tests (msisdn);

-- ===== 43: alarm texts

-- The text by which a letter of the channel "sms" was told last, or may have been.
ALTER TABLE alarm_letters ADD COLUMN trial_id INTEGER;

-- 1: it tells an alarm, and is none of those that an administrator may send in an hour.
ALTER TABLE operator_tests ADD COLUMN is_alarm INTEGER NOT NULL DEFAULT 0 CHECK (is_alarm IN (0, 1));

CREATE INDEX operator_tests_of_alarms ON operator_tests (msisdn, claimed_at) WHERE is_alarm = 1;

-- ===== 44: client references

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

-- ===== 45: users

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
  CHECK ((account_id IS NOT NULL) = (role LIKE 'ACCOUNT_%'))
) STRICT;

CREATE INDEX users_of_account ON users (account_id, id) WHERE account_id IS NOT NULL;

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

CREATE INDEX user_sessions_of_user ON user_sessions (user_id, id);

CREATE INDEX user_sessions_by_age ON user_sessions (created_at);

CREATE TABLE user_links (
  id INTEGER PRIMARY KEY,
  user_id INTEGER REFERENCES users (id),
  secret_hash TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_links_of_user ON user_links (user_id);

CREATE INDEX user_links_by_age ON user_links (expires_at);

CREATE TABLE user_recovery_codes (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  UNIQUE (user_id, code_hash)
) STRICT;

-- ===== 46: sandboxes

-- The sandbox of the account n is the account −n: its row holds its wallet and its keys together, all else of it is read from n.
ALTER TABLE accounts ADD COLUMN sandbox_of INTEGER REFERENCES accounts (id)
  CHECK (sandbox_of IS CASE WHEN id < 0 THEN -id END);

-- What a sandbox waits for: an instant, and what happens to the message then.
CREATE TABLE sandbox_steps (
  message_id INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL,
  step TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_steps_due ON sandbox_steps (due_at);

-- The day of its account's timezone for which a sandbox's wallet was filled last.
CREATE TABLE sandbox_fillings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  day TEXT NOT NULL
) STRICT;

-- Whatever becomes of operators and their codes: what is a sandbox's stays in its lane, and nothing else comes into one.
CREATE TRIGGER sandbox_lanes_are_apart BEFORE UPDATE OF operator ON messages
WHEN (NEW.account_id < 0) <> (NEW.operator GLOB 'sandbox:*')
BEGIN SELECT RAISE(ABORT, 'a message of a sandbox stays in its lane'); END;

-- Money of sandboxes is nobody's: what they did is forgotten after some days.
DROP TRIGGER ledger_never_shrinks;
CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger WHEN OLD.account_id > 0
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;

-- ===== 47: doors of kannel and jasmin

-- Who asks at the doors for clients of Kannel and Jasmin, and what those clients are to be told of their messages.
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

-- How far the feed of an account was looked through for them; no row where nothing is followed.
CREATE TABLE compat_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;

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
  due_at INTEGER NOT NULL
) STRICT;

CREATE INDEX compat_callbacks_due ON compat_callbacks (due_at);

CREATE INDEX compat_callbacks_to ON compat_callbacks (msisdn) WHERE msisdn IS NOT NULL;

-- ===== 48: callbacks in order

-- Callbacks of a message are made one after the other.
CREATE INDEX compat_callbacks_of_message ON compat_callbacks (message_ulid);

-- ===== 49: opt outs of sandboxes

-- A sandbox has a list of its own: an account below 0. 0 goes on to be the list that counts for every live account.
CREATE TABLE suppressions_of_both_sides (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  -- E.164 with '+'.
  msisdn TEXT NOT NULL CHECK (msisdn GLOB '+[0-9]*'),
  -- A recipient who opted out of everything has a row for each class.
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  -- An administrator by hand, a file, or a word like STOP that the recipient sent.
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD')),
  created_at INTEGER NOT NULL,
  note TEXT,
  PRIMARY KEY (account_id, msisdn, message_class)
) STRICT, WITHOUT ROWID;
INSERT INTO suppressions_of_both_sides (account_id, msisdn, message_class, source, created_at, note)
  SELECT account_id, msisdn, message_class, source, created_at, note FROM suppressions
  ORDER BY account_id, msisdn, message_class;
DROP TABLE suppressions;
ALTER TABLE suppressions_of_both_sides RENAME TO suppressions;

CREATE TABLE erased_suppressions_of_both_sides (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  number_name TEXT NOT NULL,
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, number_name, message_class)
) STRICT, WITHOUT ROWID;
INSERT INTO erased_suppressions_of_both_sides (account_id, number_name, message_class, source, created_at)
  SELECT account_id, number_name, message_class, source, created_at FROM erased_suppressions
  ORDER BY account_id, number_name, message_class;
DROP TABLE erased_suppressions;
ALTER TABLE erased_suppressions_of_both_sides RENAME TO erased_suppressions;

-- ===== 50: uses of keys

-- When a key was last used, as it was last written down: whoever revokes one knows whether something will miss it.
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;

-- ===== 51: posts to whatsapp

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

-- ===== 52: templates of whatsapp

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
  PRIMARY KEY (waba_id, name, language)
) STRICT, WITHOUT ROWID;

-- When the templates of an account were read last, and why they could not be.
CREATE TABLE whatsapp_syncs (
  waba_id TEXT PRIMARY KEY,
  tried_at INTEGER NOT NULL,
  synced_at INTEGER,
  error TEXT
) STRICT;

-- ===== 53: past alarms

-- Alarms since when, until when: what lasted longer ago than an hour is known no more from the alarms that last.
CREATE TABLE past_alarms (
  id INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  since INTEGER NOT NULL,
  -- NULL while it lasts.
  ended_at INTEGER,
  -- JSON: what its words are made of.
  facts TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX past_alarms_lasting ON past_alarms (rule, subject) WHERE ended_at IS NULL;

INSERT INTO past_alarms (rule, subject, since, facts) SELECT rule, subject, since, facts FROM alarms WHERE is_firing = 1;

-- ===== 54: whole claims

-- Claims of texts of several segments that were to leave whole, in one submit_sm (message_payload): where nobody saw the end of such a
-- claim, the doubt is about all that it carried.
CREATE TABLE whole_claims (
  message_id INTEGER PRIMARY KEY,
  -- Which claim of the message, from 1; an older one says nothing about the newest.
  attempt INTEGER NOT NULL
) STRICT;

-- ===== 55: notes of channels

-- What the channel of a batch keeps of it, in words that it alone reads: the template of a batch of WhatsApp. No row: nothing.
CREATE TABLE batch_channel_notes (
  batch_id INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;

-- ===== 56: opt outs by meta

-- What a user says in WhatsApp itself comes by Meta, which may take it back: it is kept apart from the rest by its source.
CREATE TABLE suppressions_of_all_sources (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  -- E.164 with '+'.
  msisdn TEXT NOT NULL CHECK (msisdn GLOB '+[0-9]*'),
  -- A recipient who opted out of everything has a row for each class.
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  -- An administrator by hand, a file, a word like STOP that the recipient sent, or Meta.
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD' OR source = 'META')),
  created_at INTEGER NOT NULL,
  note TEXT,
  PRIMARY KEY (account_id, msisdn, message_class)
) STRICT, WITHOUT ROWID;
INSERT INTO suppressions_of_all_sources (account_id, msisdn, message_class, source, created_at, note)
  SELECT account_id, msisdn, message_class, source, created_at, note FROM suppressions
  ORDER BY account_id, msisdn, message_class;
DROP TABLE suppressions;
ALTER TABLE suppressions_of_all_sources RENAME TO suppressions;

CREATE TABLE erased_suppressions_of_all_sources (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  number_name TEXT NOT NULL,
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD' OR source = 'META')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, number_name, message_class)
) STRICT, WITHOUT ROWID;
INSERT INTO erased_suppressions_of_all_sources (account_id, number_name, message_class, source, created_at)
  SELECT account_id, number_name, message_class, source, created_at FROM erased_suppressions
  ORDER BY account_id, number_name, message_class;
DROP TABLE erased_suppressions;
ALTER TABLE erased_suppressions_of_all_sources RENAME TO erased_suppressions;

-- ===== 57: news of templates

-- What Meta tells of a template between two readings, by its webhook or as it refuses a post. heard: by our clock, when it came; a
-- reading that had begun before knows less. told: by Meta's clock, when it happened; what happened before is no news. 0: never.
ALTER TABLE whatsapp_templates ADD COLUMN status_heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN status_told_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN category_heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN category_told_at INTEGER NOT NULL DEFAULT 0;
-- Since when it cannot be sent; NULL for one that can, and for one that never could.
ALTER TABLE whatsapp_templates ADD COLUMN unusable_since INTEGER;
-- When it was moved to the category that it has; NULL: it was not.
ALTER TABLE whatsapp_templates ADD COLUMN moved_at INTEGER;

-- ===== 58: prices of templates

-- Deliveries that Meta priced as another category than their message's class, since somebody released the template last. priced_as: what
-- it priced the latest as. price_stopped_at: since when nothing is sent with it for that.
ALTER TABLE whatsapp_templates ADD COLUMN mispriced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN priced_as TEXT;
ALTER TABLE whatsapp_templates ADD COLUMN price_stopped_at INTEGER;
ALTER TABLE whatsapp_templates ADD COLUMN released_at INTEGER NOT NULL DEFAULT 0;

-- ===== 59: read by their users

-- When the user read a message, where its channel tells it, epoch milliseconds. No row: not read, or nobody told.
CREATE TABLE message_reads (
  message_id INTEGER PRIMARY KEY,
  read_at INTEGER NOT NULL
) STRICT;

-- ===== 60: what users and meta said apart

-- What the user wrote, what Meta told and what an administrator said are kept apart: each stands by itself, and is lifted by itself.
CREATE TABLE suppressions_by_source (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  -- E.164 with '+'.
  msisdn TEXT NOT NULL CHECK (msisdn GLOB '+[0-9]*'),
  -- A recipient who opted out of everything has a row for each class.
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  -- An administrator by hand, a file, a word like STOP that the recipient sent, or Meta.
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD' OR source = 'META')),
  created_at INTEGER NOT NULL,
  note TEXT,
  PRIMARY KEY (account_id, msisdn, message_class, source)
) STRICT, WITHOUT ROWID;
INSERT INTO suppressions_by_source (account_id, msisdn, message_class, source, created_at, note)
  SELECT account_id, msisdn, message_class, source, created_at, note FROM suppressions
  ORDER BY account_id, msisdn, message_class;
DROP TABLE suppressions;
ALTER TABLE suppressions_by_source RENAME TO suppressions;

CREATE TABLE erased_suppressions_by_source (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  number_name TEXT NOT NULL,
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD' OR source = 'META')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, number_name, message_class, source)
) STRICT, WITHOUT ROWID;
INSERT INTO erased_suppressions_by_source (account_id, number_name, message_class, source, created_at)
  SELECT account_id, number_name, message_class, source, created_at FROM erased_suppressions
  ORDER BY account_id, number_name, message_class;
DROP TABLE erased_suppressions;
ALTER TABLE erased_suppressions_by_source RENAME TO erased_suppressions;

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

-- ===== 61: second ways

-- A message of WhatsApp may go on as an SMS. It keeps its one row, which holds the way that carries it.

-- What of the reservations is more than the ways cost that carried the messages: the dearer of two ways is reserved.
ALTER TABLE purged_lines ADD COLUMN beyond_amount INTEGER NOT NULL DEFAULT 0 CHECK (beyond_amount >= 0);

-- Seconds after which batches of WhatsApp go on as SMS that do not say so themselves; NULL: never.
ALTER TABLE accounts ADD COLUMN fallback_seconds INTEGER CHECK (fallback_seconds BETWEEN 60 AND 43200);

-- What a batch says of its second way. A batch with one way has no row.
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

-- Of a message with two ways: the one that its row does not hold, and what its client is shown.
CREATE TABLE second_ways (
  message_id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL,
  -- Which way the row holds: the first, the second, or the first again, which had arrived after all.
  stage TEXT NOT NULL DEFAULT 'FIRST' CHECK ((stage = 'FIRST' OR stage = 'SECOND' OR stage = 'BACK')),
  -- The message is not final.
  is_open INTEGER NOT NULL DEFAULT 1 CHECK (is_open IN (0, 1)),
  -- The other way: as messages have these.
  operator TEXT NOT NULL,
  encoding TEXT NOT NULL CHECK ((encoding = 'GSM7' OR encoding = 'UCS2')),
  segments INTEGER NOT NULL CHECK (segments BETWEEN 1 AND 255),
  price INTEGER NOT NULL CHECK (price >= 0),
  -- NULL: the batch's text for that way, without change.
  text TEXT,
  -- What of the message's reservation is more than the way costs that its row holds.
  beyond_amount INTEGER NOT NULL CHECK (beyond_amount >= 0),
  -- When to look at the message again: nothing was heard of its first way, its second was not sent, or has no receipt.
  due_at INTEGER,
  -- Until when the second way is worth sending; NULL before it begins.
  expires_at INTEGER,
  -- 0: no octet of the second way has left or may leave; 1: it is claimed for the first time; 2: some may have left.
  claimed INTEGER NOT NULL DEFAULT 0 CHECK (claimed IN (0, 1, 2)),
  -- What the first way costs that has arrived while the second was under way.
  first_amount INTEGER CHECK (first_amount >= 0),
  -- What came of the other way; NULL while it was not used.
  status TEXT CHECK ((status = 'QUEUED' OR status = 'SUBMITTED' OR status = 'SENT' OR status = 'DELIVERED' OR status = 'FAILED' OR status = 'CANCELLED')),
  at INTEGER,
  error_code TEXT,
  operator_code TEXT,
  -- How far the client saw the message when its second way began: from there it never goes back.
  shown TEXT CHECK ((shown = 'QUEUED' OR shown = 'SUBMITTED' OR shown = 'SENT')),
  submitted_at INTEGER,
  sent_at INTEGER,
  -- When the way that the row holds moved last.
  moved_at INTEGER
) STRICT;
CREATE INDEX second_ways_untimed ON second_ways (batch_id, message_id) WHERE due_at IS NULL AND is_open = 1;
CREATE INDEX second_ways_due ON second_ways (due_at) WHERE due_at IS NOT NULL;

-- ===== 62: announced of templates

-- What Meta's webhook tells of a template's quality between two readings; heard and told as in 0057.
ALTER TABLE whatsapp_templates ADD COLUMN quality_heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN quality_told_at INTEGER NOT NULL DEFAULT 0;
-- A category that Meta has announced, and when it will be the template's; NULL: none. No reading of Meta's list tells it.
ALTER TABLE whatsapp_templates ADD COLUMN moves_to TEXT;
ALTER TABLE whatsapp_templates ADD COLUMN moves_at INTEGER;
ALTER TABLE whatsapp_templates ADD COLUMN move_told_at INTEGER NOT NULL DEFAULT 0;

-- ===== 63: unreadable rows

-- Rows of the file that a batch was sent out of that are no recipients: nothing was sent for them, and nobody else knows of them.
CREATE TABLE unreadable_rows (
  batch_id INTEGER NOT NULL,
  -- Where the row stands in the file, from 1.
  line INTEGER NOT NULL,
  -- What stands in the place of its number.
  written TEXT NOT NULL,
  -- The number that people would look for it by; NULL where nobody can tell.
  msisdn TEXT,
  -- Why it is no recipient, in English.
  cause TEXT NOT NULL,
  -- JSON: what the tags of the text would be filled in with; NULL: nothing, or no longer.
  attributes TEXT,
  client_reference TEXT,
  PRIMARY KEY (batch_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX unreadable_rows_by_number ON unreadable_rows (msisdn, batch_id) WHERE msisdn IS NOT NULL;

-- How many there were; the rows are the first of them.
ALTER TABLE batches ADD COLUMN unreadable INTEGER NOT NULL DEFAULT 0 CHECK (unreadable >= 0);

-- ===== 64: callbacks by host

-- The server that a callback goes to: each has its turn, and none waits for another's. '-' stands for those of before.
ALTER TABLE compat_callbacks ADD COLUMN host TEXT NOT NULL DEFAULT '-';
DROP INDEX compat_callbacks_due;
CREATE INDEX compat_callbacks_due ON compat_callbacks (host, due_at);

-- ===== 65: users without a number

-- What Meta calls the user whom a post reached, where a status told it: of a user who shows no number nothing else says whose a text is.
ALTER TABLE whatsapp_posts ADD COLUMN user_id TEXT;
CREATE INDEX whatsapp_posts_users ON whatsapp_posts (user_id) WHERE user_id IS NOT NULL;

-- Opt-outs of senders whose number is not known yet.
CREATE INDEX inbound_texts_unheeded ON inbound_texts (source) WHERE msisdn IS NULL AND keyword IS NOT NULL;

-- ===== 66: prices of direct text

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

-- ===== 67: corrections

-- Which batch a batch corrects: it was sent out of rows of that one's file, or to those whom that one failed to reach.
CREATE TABLE corrections (
  batch_id INTEGER PRIMARY KEY,
  corrects INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_by_corrected ON corrections (corrects);

-- ===== 68: keys that end

-- Keys by their end: staff are told of those that end soon, of all accounts at once.
CREATE INDEX api_keys_ending ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

-- ===== 69: file lines

-- Where the recipients of a batch stood in the file that it was sent out of: a JSON array of [place in the batch, line], one for each run
-- of places whose lines follow each other.
CREATE TABLE file_lines (
  batch_id INTEGER PRIMARY KEY,
  runs TEXT NOT NULL
) STRICT;

-- ===== 70: corrected lines

-- Which row of an earlier batch's file each row of a correction is, where its file tells: a JSON list of [that batch, line there, line here,
-- place among the recipients or null], without what stood in the rows.
ALTER TABLE corrections ADD COLUMN lines TEXT;

-- ===== 71: limits

-- Networks that a user came in from: what others try under their login elsewhere keeps nobody out there.
CREATE TABLE user_networks (
  user_id INTEGER NOT NULL REFERENCES users (id),
  network TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_networks_seen ON user_networks (seen_at);
INSERT INTO user_networks (user_id, network, seen_at)
SELECT user_id, address, max(seen_at) FROM user_sessions
WHERE stage = 'FULL' AND address <> '' AND instr(address, ':') = 0 GROUP BY user_id, address;

-- 1: the second factor followed from the link that it came by, and whoever has the link has it.
ALTER TABLE users ADD COLUMN has_link_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_link_factor IN (0, 1));
UPDATE users SET has_link_factor = 1 WHERE totp_secret IS NOT NULL AND login NOT IN
  (SELECT subject FROM
     (SELECT subject, action, max(id) FROM audit_entries
      WHERE action = 'user link used' OR action = 'user second factor' GROUP BY subject)
   WHERE action = 'user second factor');

-- The batch whose rejected recipients an answer lists, and from which character of `response` on: they are kept once, as its rejections.
ALTER TABLE idempotency_records ADD COLUMN rejections_of INTEGER;
ALTER TABLE idempotency_records ADD COLUMN rejections_from INTEGER;

-- Rejected recipients of an account on one day of its zone, which began at that instant.
CREATE TABLE rejection_counts (
  account_id INTEGER PRIMARY KEY,
  day INTEGER NOT NULL,
  rejected INTEGER NOT NULL CHECK (rejected >= 0)
) STRICT;

-- ===== 72: quiet moves

-- Blocks of 1,024 ids of which messages changed although their clients saw nothing of it, until what is derived from messages was told.
CREATE TABLE quiet_moves (
  block INTEGER PRIMARY KEY
) STRICT;

-- What is on its way by its second way is looked at again when that is no longer worth sending: so it is found by its time.
INSERT INTO quiet_moves (block)
SELECT DISTINCT message_id / 1024 FROM second_ways WHERE due_at IS NOT NULL AND is_open = 1 AND stage = 'SECOND';

-- By the clocks of which timezone blocks told the days of their messages: of the appliance (account 0), and of accounts.
CREATE TABLE figure_zones (
  account_id INTEGER PRIMARY KEY,
  timezone TEXT NOT NULL
) STRICT;

-- How many messages a block had when it told says nothing: they may be of several owners, who keep them for different times.
ALTER TABLE block_figures DROP COLUMN messages;

-- Batches that were not over yet when a pass of the purge came to them: looked at by it until they are.
CREATE TABLE unpurged_batches (
  account_id INTEGER NOT NULL,
  pass TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass, batch_id)
) STRICT, WITHOUT ROWID;

-- Rows of a file that a batch keeps and that are not written out yet, as a JSON list: they stand here with the batch from its acceptance on.
CREATE TABLE unreadable_to_write (
  batch_id INTEGER PRIMARY KEY,
  rows TEXT NOT NULL
) STRICT;

-- Who is told of the messages of a large batch, as JSON, until that is written out for each of them.
CREATE TABLE compat_follows_to_write (
  batch_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  follower TEXT NOT NULL
) STRICT;

-- ===== 73: users by another number

-- What Meta calls a user, in digits, where that is not the number that was written to: by the answer to the post, or by a status.
ALTER TABLE whatsapp_posts ADD COLUMN wa_id TEXT;
CREATE INDEX whatsapp_posts_wa_ids ON whatsapp_posts (wa_id) WHERE wa_id IS NOT NULL;
-- Opt-outs are asked for by their source, whether its number was known when they came or is known to be another's now.
DROP INDEX inbound_texts_unheeded;
CREATE INDEX inbound_texts_stops ON inbound_texts (source) WHERE keyword IS NOT NULL;

-- ===== 74: held by message

-- What a restore holds back is held by message and operator: also by one that the message may be handed to only later.
ALTER TABLE restores ADD COLUMN last_batch_id INTEGER NOT NULL DEFAULT 0;

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

CREATE INDEX held_messages_of_batch ON held_messages (batch_id, operator);
CREATE INDEX held_messages_due ON held_messages (message_id) WHERE is_due = 1;

-- Batches that were not validated in the copy: their messages come later.
CREATE TABLE held_batches (
  batch_id INTEGER PRIMARY KEY
) STRICT;

-- What was decided since the newest restore, in its order: the last that fits a class and an operator counts.
CREATE TABLE restore_decisions (
  id INTEGER PRIMARY KEY,
  -- NULL: every class; every operator.
  message_class TEXT,
  operator TEXT,
  waiting TEXT NOT NULL CHECK ((waiting = 'hold' OR waiting = 'policy' OR waiting = 'send' OR waiting = 'give-up')),
  died_at INTEGER NOT NULL,
  -- 0: it is being carried out for what waits.
  is_done INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1))
) STRICT;

UPDATE restores SET last_batch_id = (SELECT coalesce(max(id), 0) FROM batches);

INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
SELECT m.id, m.operator, m.batch_id FROM held_places h
CROSS JOIN messages m ON m.batch_id = h.batch_id AND m.operator = h.operator AND m.status = 'QUEUED' AND m.id > h.decided_through;

INSERT INTO held_batches (batch_id) SELECT DISTINCT batch_id FROM held_places WHERE operator = '';

INSERT OR REPLACE INTO held_messages (message_id, operator, batch_id, in_flight)
SELECT m.id, m.operator, m.batch_id, 1 FROM held_flights f CROSS JOIN messages m ON m.id = f.message_id WHERE m.is_final = 0;

-- Of a restore that nobody has decided at all, everything that is not final.
INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
SELECT m.id, m.operator, m.batch_id FROM restores r CROSS JOIN batches b CROSS JOIN messages m
WHERE r.resumed_at IS NULL AND b.unfinished > 0 AND b.status NOT IN ('STAGING', 'VALIDATING', 'FAILED')
  AND m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted
  AND m.batch_id = b.id AND +m.is_final = 0 AND m.account_id > 0;

INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
SELECT s.message_id, s.operator, s.batch_id FROM restores r CROSS JOIN second_ways s CROSS JOIN messages m ON m.id = s.message_id
WHERE r.resumed_at IS NULL AND s.is_open = 1 AND s.stage = 'FIRST' AND m.account_id > 0;

DROP TABLE held_places;
DROP TABLE held_flights;

-- ===== 75: concatenations

-- Under which concatenation reference a text of several segments left, so that what is sent again of it joins what was sent before.
CREATE TABLE concatenations (
  message_id INTEGER PRIMARY KEY,
  reference INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255)
) STRICT;

-- How far the references of recipients and senders have been counted: 1,024 rows of 256 counters, an octet each. A recipient and a
-- sender are one of the counters by a hash, so nobody's number stands here and no more rows are ever made.
CREATE TABLE concatenation_counters (
  place INTEGER PRIMARY KEY CHECK (place BETWEEN 0 AND 1023),
  reached BLOB NOT NULL CHECK (length(reached) = 256)
) STRICT;

-- ===== 76: other tags

-- What of the braces of a batch's texts is a tag although it is no plain name, {Nom complet}: a JSON list of names, NULL for none.
ALTER TABLE batches ADD COLUMN other_tags TEXT;

-- ===== 77: counted from

-- The last message of which a text of several segments may have left under a reference by its number alone.
CREATE TABLE concatenation_start (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uncounted_through INTEGER NOT NULL
) STRICT;

INSERT INTO concatenation_start (id, uncounted_through) SELECT 1, coalesce(max(id), 0) FROM messages;

-- ===== 78: import rows

-- Rows of the files that batches were sent out of: each that was not plainly accepted, and each that is known to be a row of an earlier file.
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

-- Rows of before told what became of them by the first words of a sentence. It stays as it was said.
INSERT OR IGNORE INTO unreadable_rows (batch_id, line, written, msisdn, cause, attributes, client_reference)
  SELECT batch_id, value ->> 'line', value ->> 'written', value ->> 'msisdn', value ->> 'cause', value ->> 'attributes',
    value ->> 'client_reference' FROM unreadable_to_write, json_each(rows);
INSERT INTO import_rows (batch_id, line, status, code, params, position, written, msisdn, cells, client_reference)
  SELECT batch_id, line, status,
    CASE
      WHEN status = 'REJECTED' THEN coalesce((SELECT reason FROM rejections r WHERE r.batch_id = u.batch_id AND r.position = u.place), 'REJECTED')
      WHEN status = 'ALREADY_REACHED' THEN iif(cause LIKE 'it repeats a number that the batch before failed %', 'FAILED_BEFORE', 'SERVED_BEFORE')
      WHEN cause = '' THEN 'UNREADABLE_ROW'
      ELSE 'SAID'
    END,
    iif(status IN ('UNREADABLE', 'DUPLICATE') AND cause <> '', json_object('said', cause), '{}'),
    place, written, msisdn, attributes, client_reference
  FROM (SELECT *,
      CASE
        WHEN cause LIKE 'the number is in line %' THEN 'DUPLICATE'
        WHEN cause LIKE 'it repeats a number %' THEN 'ALREADY_REACHED'
        WHEN cause LIKE 'it was rejected, as recipient %' THEN 'REJECTED'
        ELSE 'UNREADABLE'
      END AS status,
      iif(cause LIKE 'it was rejected, as recipient %', CAST(substr(cause, 31) AS INTEGER), NULL) AS place
    FROM unreadable_rows) u;
DROP TABLE unreadable_rows;
DROP TABLE unreadable_to_write;

-- Which rows of an earlier file those of a correction are stands with the rows.
INSERT INTO import_rows (batch_id, line, status, position, of_batch, of_line)
  SELECT c.batch_id, value ->> 2, 'ACCEPTED', value ->> 3, value ->> 0, value ->> 1 FROM corrections c, json_each(c.lines)
  WHERE c.lines IS NOT NULL
  ON CONFLICT DO UPDATE SET of_batch = coalesce(of_batch, excluded.of_batch), of_line = coalesce(of_line, excluded.of_line);
ALTER TABLE corrections DROP COLUMN lines;
-- Whether it sends each the text again that failed, and no file at all.
ALTER TABLE corrections ADD COLUMN is_again INTEGER NOT NULL DEFAULT 0 CHECK (is_again IN (0, 1));
UPDATE corrections SET is_again = 1 WHERE batch_id IN (SELECT id FROM batches WHERE id IN (SELECT batch_id FROM corrections) AND body = '{text}');

-- The file that a batch was sent out of: where its recipients stood there, and the id by which its rows are known that were taken away
-- before anything was sent.
ALTER TABLE file_lines RENAME TO imports;
ALTER TABLE imports ADD COLUMN ulid TEXT;
CREATE INDEX imports_by_id ON imports (ulid) WHERE ulid IS NOT NULL;
