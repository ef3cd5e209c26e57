-- What the last build of schema 78 (commit 7d375010) made of 0.1.0.sql.
CREATE TABLE account_prices (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK ((message_class = '' OR message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
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
  created_at INTEGER NOT NULL, recipients_per_minute INTEGER CHECK (recipients_per_minute >= 0), recipients_per_day INTEGER CHECK (recipients_per_day >= 0), marketing_hours TEXT CHECK (marketing_hours GLOB '[0-9][0-9]:[0-9][0-9]-[0-9][0-9]:[0-9][0-9]'), marketing_per_day INTEGER CHECK (marketing_per_day >= 0), marketing_per_week INTEGER CHECK (marketing_per_week >= 0), low_balance INTEGER CHECK (low_balance >= 0), short_name TEXT
  CHECK (length(short_name) BETWEEN 2 AND 20 AND short_name NOT GLOB '*[^a-z0-9-]*'), closed_at INTEGER CHECK (closed_at IS NULL OR status = 'SUSPENDED'), text_policy TEXT NOT NULL DEFAULT 'as_is'
  CHECK ((text_policy = 'as_is' OR text_policy = 'rewrite' OR text_policy = 'gsm_only')), missing_attributes TEXT NOT NULL DEFAULT 'empty'
  CHECK (missing_attributes IN ('empty', 'reject')), sandbox_of INTEGER REFERENCES accounts (id)
  CHECK (sandbox_of IS CASE WHEN id < 0 THEN -id END), fallback_seconds INTEGER CHECK (fallback_seconds BETWEEN 60 AND 43200),
  CHECK (billing_mode = 'POSTPAID' OR credit_limit = 0),
  CHECK ((status = 'SUSPENDED') = (suspended_reason IS NOT NULL))
) STRICT;

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
, trial_id INTEGER) STRICT;

CREATE TABLE alarm_silences (
  rule TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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
, last_used_at INTEGER) STRICT;

CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- A JSON object; never a secret.
  detail TEXT NOT NULL
) STRICT;

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

CREATE TABLE batch_channel_notes (
  batch_id INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;

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

CREATE TABLE batches (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE CHECK (length(ulid) = 26),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- STAGING: its messages are being written and nobody was answered yet; void at the next start.
  status TEXT NOT NULL CHECK ((status = 'STAGING' OR status = 'VALIDATING' OR status = 'SCHEDULED' OR status = 'QUEUED' OR status = 'SENDING' OR status = 'SETTLED' OR status = 'REJECTED' OR status = 'FAILED' OR status = 'CANCELLED')),
  sender TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('SMS', 'WHATSAPP')),
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
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
  ended_at INTEGER, awaiting_since INTEGER, text_policy TEXT, missing_attributes TEXT, warnings TEXT, cancel_requested_at INTEGER, client_reference TEXT, unreadable INTEGER NOT NULL DEFAULT 0 CHECK (unreadable >= 0), other_tags TEXT,
  CHECK (charged_amount + released_amount <= reserved_amount),
  CHECK (posted_charged <= charged_amount AND posted_released <= released_amount),
  CHECK (status NOT IN ('SETTLED', 'CANCELLED') OR unsquared = 0),
  CHECK (status <> 'SETTLED' OR unfinished = 0),
  CHECK (unsquared > 0 OR charged_amount + released_amount = reserved_amount)
) STRICT;

CREATE TABLE block_figures (
  block INTEGER PRIMARY KEY,
  figures TEXT NOT NULL
) STRICT;

CREATE TABLE clock_mark (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  wall_at INTEGER NOT NULL
) STRICT;

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
, host TEXT NOT NULL DEFAULT '-') STRICT;

CREATE TABLE compat_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;

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

CREATE TABLE compat_follows_to_write (
  batch_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  follower TEXT NOT NULL
) STRICT;

CREATE TABLE compat_users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  message_class TEXT NOT NULL CHECK ((message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING' OR message_class = 'OTP')),
  sender TEXT,
  password_sha256 BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE TABLE concatenation_counters (
  place INTEGER PRIMARY KEY CHECK (place BETWEEN 0 AND 1023),
  reached BLOB NOT NULL CHECK (length(reached) = 256)
) STRICT;

CREATE TABLE concatenation_start (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uncounted_through INTEGER NOT NULL
) STRICT;

CREATE TABLE concatenations (
  message_id INTEGER PRIMARY KEY,
  reference INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255)
) STRICT;

CREATE TABLE corrections (
  batch_id INTEGER PRIMARY KEY,
  corrects INTEGER NOT NULL
, is_again INTEGER NOT NULL DEFAULT 0 CHECK (is_again IN (0, 1))) STRICT;

CREATE TABLE daily_sizes (
  day INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;

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

CREATE TABLE delivery_hours (
  operator TEXT NOT NULL,
  hour INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (operator, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE "erased_suppressions" (
  -- 0: the appliance-wide list, which counts for every account. Below 0: a sandbox's.
  account_id INTEGER NOT NULL,
  number_name TEXT NOT NULL,
  message_class TEXT NOT NULL CHECK ((message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  source TEXT NOT NULL CHECK ((source = 'ADMIN' OR source = 'IMPORT' OR source = 'KEYWORD' OR source = 'META')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, number_name, message_class, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  -- AUTOINCREMENT, because cursors of endpoints point at ids that may have been forgotten since.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  type TEXT NOT NULL CHECK ((type = 'BATCH_SETTLED' OR type = 'BATCH_ACCEPTED' OR type = 'BATCH_REJECTED' OR type = 'BATCH_FAILED' OR type = 'BATCH_CANCELLED' OR type = 'WALLET_LOW')),
  -- The batch it is about; NULL for the wallet.
  batch_id INTEGER,
  -- Figures that must be kept as they stood, a JSON object; NULL when the subject's row still tells them.
  figures TEXT,
  at INTEGER NOT NULL,
  CHECK ((type = 'WALLET_LOW') = (batch_id IS NULL)),
  CHECK ((type = 'WALLET_LOW') = (figures IS NOT NULL))
) STRICT;

CREATE TABLE figure_zones (
  account_id INTEGER PRIMARY KEY,
  timezone TEXT NOT NULL
) STRICT;

CREATE TABLE held_batches (
  batch_id INTEGER PRIMARY KEY
) STRICT;

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

CREATE TABLE "idempotency_records" (
  id INTEGER PRIMARY KEY,
  api_key_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_sha256 BLOB NOT NULL,
  status INTEGER NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL, rejections_of INTEGER, rejections_from INTEGER,
  UNIQUE (api_key_id, idempotency_key)
) STRICT;

CREATE TABLE import_rows (
  batch_id INTEGER NOT NULL,
  -- Where the row stands in the file, from 1.
  line INTEGER NOT NULL,
  status TEXT NOT NULL CHECK ((status = 'UNREADABLE' OR status = 'DUPLICATE' OR status = 'ALREADY_REACHED' OR status = 'REJECTED' OR status = 'ACCEPTED')),
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

CREATE TABLE import_rows_to_write (
  batch_id INTEGER PRIMARY KEY,
  rows TEXT NOT NULL
) STRICT;

CREATE TABLE "imports" (
  batch_id INTEGER PRIMARY KEY,
  runs TEXT NOT NULL
, ulid TEXT) STRICT;

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

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK ((kind = 'TOPUP' OR kind = 'ADJUSTMENT' OR kind = 'RESERVE' OR kind = 'CHARGE' OR kind = 'RELEASE')),
  debit TEXT NOT NULL CHECK ((debit = 'CASH' OR debit = 'FUNDS' OR debit = 'RESERVED' OR debit = 'EARNED')),
  credit TEXT NOT NULL CHECK ((credit = 'CASH' OR credit = 'FUNDS' OR credit = 'RESERVED' OR credit = 'EARNED')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- What made it, once and for all: 'batch:ULID:reserve', 'topup:ULID:REFERENCE', ...
  cause TEXT NOT NULL UNIQUE,
  batch_id INTEGER,
  note TEXT,
  created_at INTEGER NOT NULL,
  CHECK (debit <> credit)
) STRICT;

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

CREATE TABLE ledger_checks (
  id INTEGER PRIMARY KEY,
  checked_at INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  batches INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  differences INTEGER NOT NULL CHECK (differences >= 0),
  -- The first of them in words.
  detail TEXT NOT NULL
, failure TEXT) STRICT;

CREATE TABLE message_notes (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
, times INTEGER NOT NULL DEFAULT 1, last_at INTEGER) STRICT;

CREATE TABLE message_reads (
  message_id INTEGER PRIMARY KEY,
  read_at INTEGER NOT NULL
) STRICT;

CREATE TABLE message_references (
  message_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  client_reference TEXT NOT NULL
) STRICT;

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
  status TEXT NOT NULL CHECK ((status = 'QUEUED' OR status = 'SUBMITTED' OR status = 'SENT' OR status = 'DELIVERED' OR status = 'FAILED' OR status = 'CANCELLED')),
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
  finalized_at INTEGER, parked_before INTEGER,
  CHECK ((status <> 'DELIVERED' AND status <> 'FAILED' AND status <> 'CANCELLED') OR is_final = 1),
  CHECK (status NOT IN ('QUEUED', 'SUBMITTED') OR is_final = 0),
  CHECK (is_final = 0 OR is_squared = 1),
  CHECK ((unanswered_at IS NULL) = (unanswered_until IS NULL)),
  CHECK (unanswered_at IS NULL OR status = 'SUBMITTED')
) STRICT;

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

CREATE TABLE operator_renames (
  old_code TEXT PRIMARY KEY,
  new_code TEXT NOT NULL,
  renamed_at INTEGER NOT NULL,
  CHECK (old_code <> new_code)
) STRICT, WITHOUT ROWID;

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
, is_alarm INTEGER NOT NULL DEFAULT 0 CHECK (is_alarm IN (0, 1))) STRICT;

CREATE TABLE operators_retired (
  code TEXT PRIMARY KEY,
  retired_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE "parked_receipts" (
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
, account TEXT) STRICT;

CREATE TABLE parked_texts (
  receipt_id INTEGER PRIMARY KEY,
  source_addr TEXT NOT NULL,
  source_addr_ton INTEGER NOT NULL,
  destination_addr TEXT NOT NULL,
  data_coding INTEGER NOT NULL,
  octets BLOB NOT NULL
) STRICT;

CREATE TABLE parts (
  message_id INTEGER NOT NULL,
  part INTEGER NOT NULL CHECK (part BETWEEN 1 AND 255),
  operator TEXT NOT NULL,
  state TEXT NOT NULL CHECK ((state = 'SENT' OR state = 'DELIVERED' OR state = 'FAILED')),
  -- The operator's id exactly as received, and its canonical form for look-ups.
  smsc_id TEXT NOT NULL,
  smsc_key TEXT NOT NULL,
  error_code TEXT,
  operator_code TEXT,
  sent_at INTEGER NOT NULL,
  receipt_at INTEGER, attempt INTEGER, connection INTEGER, sequence INTEGER, written_at INTEGER, shape_id INTEGER, receipt_state TEXT, receipt_code TEXT, receipt_connection INTEGER, receipt_sequence INTEGER, parked_before INTEGER,
  -- A part that was sent again for want of an answer may have been accepted under two ids.
  PRIMARY KEY (message_id, part, smsc_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE pass_marks (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  pass TEXT NOT NULL,
  -- A feed stamp, or the time a batch was accepted; and the row among those of one time.
  at INTEGER NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE "price_changes" (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK ((message_class = '' OR message_class = 'OTP' OR message_class = 'TRANSACTIONAL' OR message_class = 'MARKETING')),
  -- NULL: taken away.
  amount INTEGER CHECK (amount >= 0),
  created_at INTEGER NOT NULL
, previous_amount INTEGER CHECK (previous_amount >= 0)) STRICT;

CREATE TABLE purged_lines (
  batch_id INTEGER NOT NULL,
  operator TEXT NOT NULL,
  -- Of one segment.
  price INTEGER NOT NULL,
  messages INTEGER NOT NULL CHECK (messages > 0),
  segments INTEGER NOT NULL,
  -- Of what they cost whole; the rest was released.
  charged INTEGER NOT NULL CHECK (charged >= 0), beyond_amount INTEGER NOT NULL DEFAULT 0 CHECK (beyond_amount >= 0),
  PRIMARY KEY (batch_id, operator, price)
) STRICT, WITHOUT ROWID;

CREATE TABLE quiet_moves (
  block INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE receipt_id_forms (
  operator TEXT NOT NULL,
  form TEXT NOT NULL CHECK ((form = 'exact' OR form = 'padded' OR form = 'decimal' OR form = 'hexadecimal')),
  matches INTEGER NOT NULL,
  PRIMARY KEY (operator, form)
) STRICT, WITHOUT ROWID;

CREATE TABLE "recent_sends" (
  -- A hash of account and number; the message tells whether it is really them.
  recipient_key INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- A hash of the rendered text.
  text_key INTEGER NOT NULL,
  planned_at INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (recipient_key, is_marketing, text_key, planned_at, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE recipient_counts (
  account_id INTEGER NOT NULL,
  span TEXT NOT NULL CHECK (span IN ('D', 'S')),
  starts_at INTEGER NOT NULL,
  recipients INTEGER NOT NULL CHECK (recipients >= 0),
  PRIMARY KEY (account_id, span, starts_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE rejection_counts (
  account_id INTEGER PRIMARY KEY,
  day INTEGER NOT NULL,
  rejected INTEGER NOT NULL CHECK (rejected >= 0)
) STRICT;

CREATE TABLE rejections (
  batch_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  msisdn TEXT,
  reason TEXT NOT NULL, client_reference TEXT,
  PRIMARY KEY (batch_id, position)
) STRICT, WITHOUT ROWID;

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
, last_batch_id INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE sandbox_fillings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  day TEXT NOT NULL
) STRICT;

CREATE TABLE sandbox_steps (
  message_id INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL,
  step TEXT NOT NULL
) STRICT;

CREATE TABLE schema_history (
  version INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
, executable TEXT, backup TEXT) STRICT;

CREATE TABLE search_blocks (
  block INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL,
  -- Something of them was written since the row was.
  is_stale INTEGER NOT NULL CHECK (is_stale IN (0, 1)),
  -- Ids of search_facets, 32 bits each, the lowest octet first.
  facets BLOB NOT NULL
) STRICT;

CREATE TABLE search_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;

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

CREATE TABLE send_runs (
  first_message_id INTEGER PRIMARY KEY,
  planned_at INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  -- For each message a hash of account and number and one of the rendered text: two IEEE 754 doubles, the lowest octet first.
  keys BLOB NOT NULL CHECK (length(keys) > 0 AND length(keys) % 16 = 0)
) STRICT;

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
  status TEXT NOT NULL CHECK ((status = 'REQUESTED' OR status = 'APPROVED' OR status = 'REJECTED')),
  rejection_reason TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE smsc_accounts (
  -- system_id@host:port
  account TEXT PRIMARY KEY,
  -- What the configuration says of receipts without a mark.
  unmarked_receipts TEXT NOT NULL DEFAULT 'auto' CHECK ((unmarked_receipts = 'auto' OR unmarked_receipts = 'always' OR unmarked_receipts = 'never')),
  -- 'marked' once one came with a mark, 'unmarked' once enough came without and none with.
  seen TEXT CHECK (seen IN ('marked', 'unmarked')),
  seen_at INTEGER,
  -- What was parked before is settled as the row says now.
  is_swept INTEGER NOT NULL DEFAULT 1 CHECK (is_swept IN (0, 1)),
  CHECK ((seen IS NULL) = (seen_at IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE "submit_shapes" (
  id INTEGER PRIMARY KEY,
  -- system_id@host:port; NULL of what left before that was noted.
  account TEXT,
  -- A JSON object of its fields.
  fields TEXT NOT NULL,
  UNIQUE (account, fields)
) STRICT;

CREATE TABLE submitted_recipients (
  batch_id INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  -- A JSON array of {msisdn, attributes}.
  recipients TEXT NOT NULL,
  PRIMARY KEY (batch_id, piece)
) STRICT, WITHOUT ROWID;

CREATE TABLE "suppressions" (
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

CREATE TABLE unaccepted_submits (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  -- Of a submit that carried a whole message in one, its first and its last part.
  first_part INTEGER NOT NULL,
  last_part INTEGER NOT NULL,
  operator TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK ((outcome = 'REFUSED' OR outcome = 'PUT_OFF' OR outcome = 'UNANSWERED')),
  command_status INTEGER,
  -- The last of `times` that ended so.
  times INTEGER NOT NULL DEFAULT 1,
  attempt INTEGER,
  connection INTEGER,
  sequence INTEGER,
  shape_id INTEGER,
  -- When it left at the earliest, and when it ended so.
  written_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  -- The end of the recipient's number, while the operator may have it and nothing has told so.
  doubt_key TEXT, parked_before INTEGER,
  CHECK ((outcome = 'UNANSWERED') = (command_status IS NULL)),
  CHECK (doubt_key IS NULL OR outcome = 'UNANSWERED')
) STRICT;

CREATE TABLE unmarked_evidence (
  account TEXT NOT NULL,
  message_id INTEGER NOT NULL,
  PRIMARY KEY (account, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE unpurged_batches (
  account_id INTEGER NOT NULL,
  pass TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass, batch_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_links (
  id INTEGER PRIMARY KEY,
  user_id INTEGER REFERENCES users (id),
  secret_hash TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE user_networks (
  user_id INTEGER NOT NULL REFERENCES users (id),
  network TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  login TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL
    CHECK ((role = 'OWNER' OR role = 'OPERATIONS' OR role = 'FINANCE' OR role = 'SUPPORT' OR role = 'ACCOUNT_ADMIN' OR role = 'ACCOUNT_SENDER' OR role = 'ACCOUNT_READER')),
  account_id INTEGER REFERENCES accounts (id),
  language TEXT CHECK (language IN ('fr', 'en')),
  timezone TEXT,
  status TEXT NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  password_hash TEXT,
  totp_secret TEXT,
  totp_step INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL, has_link_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_link_factor IN (0, 1)),
  CHECK ((account_id IS NOT NULL) = (role LIKE 'ACCOUNT_%'))
) STRICT;

CREATE TABLE wallets (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  funds INTEGER NOT NULL DEFAULT 0,
  reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0)
, is_low INTEGER NOT NULL DEFAULT 0 CHECK (is_low IN (0, 1))) STRICT;

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

CREATE TABLE webhook_endpoints (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE CHECK (length(ulid) = 26),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  description TEXT NOT NULL,
  -- Comma-separated event types.
  events TEXT NOT NULL,
  status TEXT NOT NULL CHECK ((status = 'ENABLED' OR status = 'DISABLED_BY_USER' OR status = 'DISABLED_AFTER_FAILURES')),
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

CREATE TABLE webhook_secrets (
  id INTEGER PRIMARY KEY,
  endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  -- NULL: the newest, which stays until it is rotated.
  expires_at INTEGER
) STRICT;

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

CREATE TABLE whatsapp_parked_statuses (
  wamid TEXT NOT NULL,
  status TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  told TEXT NOT NULL,
  PRIMARY KEY (wamid, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE whatsapp_posts (
  message_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  -- The code of the number it left by.
  number TEXT NOT NULL,
  posted_at INTEGER NOT NULL,
  -- POSTED: no answer yet. UNANSWERED: none came.
  state TEXT NOT NULL CHECK ((state = 'POSTED' OR state = 'ACCEPTED' OR state = 'HELD' OR state = 'REFUSED' OR state = 'UNANSWERED')),
  -- Meta's id, which holds the user's number; by the answer or a status.
  wamid TEXT,
  -- Meta's code of a refusal or a failure.
  code INTEGER,
  -- The statuses that came: 1 sent, 2 delivered, 4 read, 8 failed.
  told INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER,
  -- When waiting for statuses is given up.
  close_at INTEGER, user_id TEXT, wa_id TEXT,
  PRIMARY KEY (message_id, n)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE whatsapp_stops (
  number TEXT PRIMARY KEY,
  code INTEGER NOT NULL,
  token_digest TEXT NOT NULL,
  stopped_at INTEGER NOT NULL
) STRICT;

CREATE TABLE whatsapp_syncs (
  waba_id TEXT PRIMARY KEY,
  tried_at INTEGER NOT NULL,
  synced_at INTEGER,
  error TEXT
) STRICT;

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
  synced_at INTEGER NOT NULL, status_heard_at INTEGER NOT NULL DEFAULT 0, status_told_at INTEGER NOT NULL DEFAULT 0, category_heard_at INTEGER NOT NULL DEFAULT 0, category_told_at INTEGER NOT NULL DEFAULT 0, unusable_since INTEGER, moved_at INTEGER, mispriced INTEGER NOT NULL DEFAULT 0, priced_as TEXT, price_stopped_at INTEGER, released_at INTEGER NOT NULL DEFAULT 0, quality_heard_at INTEGER NOT NULL DEFAULT 0, quality_told_at INTEGER NOT NULL DEFAULT 0, moves_to TEXT, moves_at INTEGER, move_told_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (waba_id, name, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE whole_claims (
  message_id INTEGER PRIMARY KEY,
  -- Which claim of the message, from 1; an older one says nothing about the newest.
  attempt INTEGER NOT NULL
) STRICT;

INSERT INTO accounts VALUES (1, '01M82DJQHNXE99C9PXS07XDD99', 'Faso Shop', 'ACTIVE', NULL, 'Africa/Ouagadougou', 'PREPAID', 0, NULL, 'OTP,TRANSACTIONAL,MARKETING', 1795377684021, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'as_is', 'empty', NULL, NULL);
INSERT INTO api_keys VALUES (1, 'KM7EZ4C20GCH', 1, 'k', 'MESSAGES_SEND,MESSAGES_READ,ACCOUNT_READ,SENDER_IDS_READ,WEBHOOKS_MANAGE', x'a963c35402fb878f3eab2208538687f49724de9c0d6e902adced157644c6542e', 1795377684931, NULL, NULL, NULL);
INSERT INTO audit_entries VALUES (1, 1795377684021, 'uid 0', 'account create', '01M82DJQHNXE99C9PXS07XDD99', '{"name":"Faso Shop","billing_mode":"PREPAID","credit_limit":0,"timezone":"Africa/Ouagadougou"}');
INSERT INTO audit_entries VALUES (2, 1795377684210, 'uid 0', 'wallet topup', '01M82DJQHNXE99C9PXS07XDD99', '{"amount":10000,"reference":"r1"}');
INSERT INTO audit_entries VALUES (3, 1795377684390, 'uid 0', 'sender request', '01M82DJQHNXE99C9PXS07XDD99', '{"sender":"ACME"}');
INSERT INTO audit_entries VALUES (4, 1795377684578, 'uid 0', 'sender approve', '01M82DJQHNXE99C9PXS07XDD99', '{"sender":"ACME"}');
INSERT INTO audit_entries VALUES (5, 1795377684770, 'uid 0', 'sender register', '01M82DJQHNXE99C9PXS07XDD99', '{"sender":"ACME","operator":"orange"}');
INSERT INTO audit_entries VALUES (6, 1795377684931, 'uid 0', 'key create', 'KM7EZ4C20GCH', '{"account_id":"01M82DJQHNXE99C9PXS07XDD99","name":"k","scopes":["MESSAGES_SEND","MESSAGES_READ","ACCOUNT_READ","SENDER_IDS_READ","WEBHOOKS_MANAGE"],"expires_at":null}');
INSERT INTO audit_entries VALUES (7, 1795377688221, 'uid 0', 'suppression add', '01M82DJQHNXE99C9PXS07XDD99', '{"msisdn":"+22670000099","message_class":"all"}');
INSERT INTO batches VALUES (1, '01M82DJREM6MVE119E8MGPP9JE', 1, 'SETTLED', 'ACME', 'SMS', 'TRANSACTIONAL', 'Bonjour {n} 1', 0, 'Africa/Ouagadougou', 1795377684948, NULL, 1795464084948, 'accepted', 1, 2, 1, 2, NULL, 2, 2, 2, 2, 0, 0, 0, 0, 30, 30, 0, 30, 0, 1, NULL, NULL, NULL, NULL, 1795377686465, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO batches VALUES (2, '01M82DJRF40Q7MFH96YWE52M3S', 1, 'SETTLED', 'ACME', 'SMS', 'TRANSACTIONAL', 'Bonjour {n} 2', 0, 'Africa/Ouagadougou', 1795377684964, NULL, 1795464084964, 'accepted', 3, 2, 1, 2, NULL, 2, 2, 2, 2, 0, 0, 0, 0, 30, 30, 0, 30, 0, 1, NULL, NULL, NULL, NULL, 1795377686277, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO batches VALUES (3, '01M82DJRFHKG82AKRGTMKCV9N0', 1, 'SCHEDULED', 'ACME', 'SMS', 'MARKETING', 'Demain', 0, 'Africa/Ouagadougou', 1795377684977, 1795428000000, 1795773600000, 'accepted', 5, 1, 0, 1, NULL, 1, 0, 0, 0, 0, 0, 1, 1, 15, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO clock_mark VALUES (1, 1795377688221);
INSERT INTO concatenation_start VALUES (1, 5);
INSERT INTO idempotency_records VALUES (1, 1, 'k1', x'11f64198028be1ed05ab2700016e0a3211f6564c27b9cfa05b3ddbf34c773d20', 202, '{"data":{"batch_id":"01M82DJREM6MVE119E8MGPP9JE","status":"QUEUED","accepted":2,"rejected":1,"rejections":[{"index":1,"msisdn":"+22671000001","reason_code":"UNROUTABLE_PREFIX"}],"reserved_amount":30,"currency":"XOF","total_segments":2}}', 1795377684955, NULL, NULL);
INSERT INTO idempotency_records VALUES (2, 1, 'k2', x'd47759aa6a990357515fea756dd3f862c4164c323f32784d07765ceb3ad7ad1d', 202, '{"data":{"batch_id":"01M82DJRF40Q7MFH96YWE52M3S","status":"QUEUED","accepted":2,"rejected":1,"rejections":[{"index":1,"msisdn":"+22671000002","reason_code":"UNROUTABLE_PREFIX"}],"reserved_amount":30,"currency":"XOF","total_segments":2}}', 1795377684967, NULL, NULL);
INSERT INTO idempotency_records VALUES (3, 1, 'k9', x'6d7dbe924a3bba25b57c8f8e5b00d0728b1c2a8e71a6fc35d26d16c2d75ac993', 202, '{"data":{"batch_id":"01M82DJRFHKG82AKRGTMKCV9N0","status":"SCHEDULED","accepted":1,"rejected":0,"rejections":[],"reserved_amount":15,"currency":"XOF","total_segments":1}}', 1795377684983, NULL, NULL);
INSERT INTO ledger VALUES (1, 1, 'TOPUP', 'CASH', 'FUNDS', 10000, 'topup:01M82DJQHNXE99C9PXS07XDD99:r1', NULL, 'r1', 1795377684210);
INSERT INTO ledger VALUES (2, 1, 'RESERVE', 'FUNDS', 'RESERVED', 30, 'batch:01M82DJREM6MVE119E8MGPP9JE:reserve', 1, NULL, 1795377684948);
INSERT INTO ledger VALUES (3, 1, 'RESERVE', 'FUNDS', 'RESERVED', 30, 'batch:01M82DJRF40Q7MFH96YWE52M3S:reserve', 2, NULL, 1795377684964);
INSERT INTO ledger VALUES (4, 1, 'RESERVE', 'FUNDS', 'RESERVED', 15, 'batch:01M82DJRFHKG82AKRGTMKCV9N0:reserve', 3, NULL, 1795377684977);
INSERT INTO ledger VALUES (5, 1, 'CHARGE', 'RESERVED', 'EARNED', 30, 'batch:01M82DJRF40Q7MFH96YWE52M3S:charge:1', 2, NULL, 1795377686277);
INSERT INTO ledger VALUES (6, 1, 'CHARGE', 'RESERVED', 'EARNED', 30, 'batch:01M82DJREM6MVE119E8MGPP9JE:charge:1', 1, NULL, 1795377686465);
INSERT INTO messages VALUES (1, '01M82DJRES1RCA9YHH2Y634TKH', 1, 1, 0, '+22670000001', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour a 1', 1795377684948, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377686465000, 1795377684948, 1795377684959, 1795377684973, 1795377686465, 1795377686465, NULL);
INSERT INTO messages VALUES (2, '01M82DJRES1RCA9YHH2Y634TKJ', 1, 1, 2, '+22670000011', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour  1', 1795377684948, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377685990000, 1795377684948, 1795377684959, 1795377684973, 1795377685990, 1795377685990, NULL);
INSERT INTO messages VALUES (3, '01M82DJRF55SR4CYS19QV4KWJY', 1, 2, 0, '+22670000002', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour a 2', 1795377684964, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377686038000, 1795377684964, 1795377684973, 1795377684984, 1795377686038, 1795377686038, NULL);
INSERT INTO messages VALUES (4, '01M82DJRF55SR4CYS19QV4KWJZ', 1, 2, 2, '+22670000012', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour  2', 1795377684964, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377686277000, 1795377684964, 1795377684973, 1795377684984, 1795377686277, 1795377686277, NULL);
INSERT INTO messages VALUES (5, '01M82DJRFNTCH00V9955Z55T9R', 1, 3, 0, '+22670000050', 'orange', 'QUEUED', 0, 0, 'GSM7', 1, 15, 0, NULL, 1795428000000, 0, 0, NULL, NULL, NULL, NULL, NULL, 1795377684983000, 1795377684977, NULL, NULL, NULL, NULL, NULL);
INSERT INTO parts VALUES (1, 1, 'orange', 'DELIVERED', '2175408800171', '2175408800171', NULL, NULL, 1795377684973, 1795377686465, 1, 1, 3, 1795377684963, 1, 'DELIVRD', '0', 1, 4, NULL);
INSERT INTO parts VALUES (2, 1, 'orange', 'DELIVERED', '2175408800172', '2175408800172', NULL, NULL, 1795377684973, 1795377685990, 1, 1, 4, 1795377684964, 1, 'DELIVRD', '0', 1, 1, NULL);
INSERT INTO parts VALUES (3, 1, 'orange', 'DELIVERED', '2175408800173', '2175408800173', NULL, NULL, 1795377684984, 1795377686038, 1, 1, 5, 1795377684976, 1, 'DELIVRD', '0', 1, 2, NULL);
INSERT INTO parts VALUES (4, 1, 'orange', 'DELIVERED', '2175408800174', '2175408800174', NULL, NULL, 1795377684984, 1795377686277, 1, 1, 6, 1795377684976, 1, 'DELIVRD', '0', 1, 3, NULL);
INSERT INTO recent_sends VALUES (324102795676663, 0, 1514181705991174, 1795377684948, 1);
INSERT INTO recent_sends VALUES (6080128436499297, 0, 6472326679113760, 1795377684948, 2);
INSERT INTO recent_sends VALUES (1083534117668827, 0, 4566850420642388, 1795377684964, 3);
INSERT INTO recent_sends VALUES (7131186004657904, 0, 2010062699069208, 1795377684964, 4);
INSERT INTO recent_sends VALUES (372091326305085, 1, 8038077989120928, 1795428000000, 5);
INSERT INTO recipient_counts VALUES (1, 'D', 1795305600000, 5);
INSERT INTO recipient_counts VALUES (1, 'S', 1795377684000, 5);
INSERT INTO rejections VALUES (1, 1, '+22671000001', 'UNROUTABLE_PREFIX', NULL);
INSERT INTO rejections VALUES (2, 1, '+22671000002', 'UNROUTABLE_PREFIX', NULL);
INSERT INTO schema_history VALUES (1, 1795377680202, NULL, NULL);
INSERT INTO schema_history VALUES (2, 1795377680202, NULL, NULL);
INSERT INTO schema_history VALUES (3, 1795377680202, NULL, NULL);
INSERT INTO schema_history VALUES (4, 1795377680202, NULL, NULL);
INSERT INTO schema_history VALUES (5, 1795377680202, NULL, NULL);
INSERT INTO schema_history VALUES (6, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (7, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (8, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (9, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (10, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (11, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (12, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (13, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (14, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (15, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (16, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (17, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (18, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (19, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (20, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (21, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (22, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (23, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (24, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (25, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (26, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (27, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (28, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (29, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (30, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (31, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (32, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (33, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (34, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (35, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (36, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (37, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (38, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (39, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (40, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (41, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (42, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (43, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (44, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (45, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (46, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (47, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (48, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (49, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (50, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (51, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (52, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (53, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (54, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (55, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (56, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (57, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (58, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (59, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (60, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (61, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (62, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (63, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (64, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (65, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (66, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (67, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (68, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (69, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (70, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (71, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (72, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (73, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (74, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (75, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (76, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (77, 1795953600000, NULL, NULL);
INSERT INTO schema_history VALUES (78, 1795953600000, NULL, NULL);
INSERT INTO search_cursors VALUES (1, 1795377686465000);
INSERT INTO sender_registrations VALUES (1, 'orange', 1795377684770);
INSERT INTO senders VALUES (1, 1, 'ACME', 'APPROVED', NULL, 1795377684390);
INSERT INTO submit_shapes VALUES (1, NULL, '{"service_type":"","source_addr_ton":5,"source_addr_npi":0,"source_addr":"ACME","dest_addr_ton":1,"dest_addr_npi":1,"esm_class":0,"priority_flag":0,"registered_delivery":1,"data_coding":0,"long_message":"no"}');
INSERT INTO suppressions VALUES (1, '+22670000099', 'MARKETING', 'ADMIN', 1795377688221, NULL);
INSERT INTO suppressions VALUES (1, '+22670000099', 'OTP', 'ADMIN', 1795377688221, NULL);
INSERT INTO suppressions VALUES (1, '+22670000099', 'TRANSACTIONAL', 'ADMIN', 1795377688221, NULL);
INSERT INTO wallets VALUES (1, 9925, 15, 0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('parked_receipts', 0);

CREATE UNIQUE INDEX accounts_by_short_name ON accounts (short_name) WHERE short_name IS NOT NULL;

CREATE INDEX alarm_letters_ended ON alarm_letters (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX alarm_letters_waiting ON alarm_letters (channel, id) WHERE outcome IS NULL;

CREATE INDEX api_keys_ending ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

CREATE INDEX api_keys_of_account ON api_keys (account_id);

CREATE INDEX batches_awaiting ON batches (awaiting_since) WHERE awaiting_since IS NOT NULL;

CREATE INDEX batches_by_reference ON batches (account_id, client_reference, created_at)
  WHERE client_reference IS NOT NULL;

CREATE INDEX batches_of_account ON batches (account_id, created_at);

CREATE INDEX batches_scheduled ON batches (scheduled_at) WHERE status = 'SCHEDULED' AND cancel_reason IS NULL;

CREATE INDEX batches_set_apart ON batches (account_id, created_at)
  WHERE status IN ('VALIDATING', 'SCHEDULED', 'REJECTED', 'FAILED', 'CANCELLED');

CREATE INDEX batches_staged ON batches (id) WHERE status = 'STAGING';

CREATE INDEX batches_staged_feed ON batches (account_id, queued_stamp_us) WHERE queued_stamp_us IS NOT NULL;

CREATE INDEX batches_unfolded ON batches (id)
  WHERE charged_amount <> posted_charged OR released_amount <> posted_released;

CREATE INDEX batches_validating ON batches (account_id, id) WHERE status = 'VALIDATING';

CREATE INDEX compat_callbacks_due ON compat_callbacks (host, due_at);

CREATE INDEX compat_callbacks_of_message ON compat_callbacks (message_ulid);

CREATE INDEX compat_callbacks_to ON compat_callbacks (msisdn) WHERE msisdn IS NOT NULL;

CREATE INDEX compat_follows_of_account ON compat_follows (account_id);

CREATE UNIQUE INDEX compat_users_in_use ON compat_users (name) WHERE revoked_at IS NULL;

CREATE INDEX compat_users_of_account ON compat_users (account_id);

CREATE INDEX corrections_by_corrected ON corrections (corrects);

CREATE INDEX events_of_account ON events (account_id, id);

CREATE INDEX held_messages_due ON held_messages (message_id) WHERE is_due = 1;

CREATE INDEX held_messages_of_batch ON held_messages (batch_id, operator);

CREATE INDEX import_rows_by_number ON import_rows (msisdn, batch_id) WHERE msisdn IS NOT NULL;

CREATE INDEX import_rows_by_place ON import_rows (batch_id, position) WHERE position IS NOT NULL;

CREATE INDEX imports_by_id ON imports (ulid) WHERE ulid IS NOT NULL;

CREATE INDEX inbound_parts_by_age ON inbound_parts (received_at);

CREATE INDEX inbound_texts_by_age ON inbound_texts (received_at);

CREATE INDEX inbound_texts_by_content ON inbound_texts (content_key);

CREATE INDEX inbound_texts_of_operator ON inbound_texts (operator, received_at);

CREATE INDEX inbound_texts_stops ON inbound_texts (source) WHERE keyword IS NOT NULL;

CREATE INDEX ledger_checkpoints_by_time ON ledger_checkpoints (account_id, created_at);

CREATE INDEX ledger_of_account ON ledger (account_id, created_at);

CREATE INDEX message_notes_of_message ON message_notes (message_id, id);

CREATE INDEX message_references_by_name ON message_references (account_id, client_reference);

CREATE INDEX messages_feed ON messages (account_id, stamp_us, is_final, batch_id) WHERE stamp_us IS NOT NULL;

CREATE INDEX messages_in_doubt ON messages (msisdn) WHERE unanswered_until IS NOT NULL;

CREATE INDEX messages_queue ON messages (batch_id, operator, not_before, id) WHERE status = 'QUEUED';

CREATE INDEX messages_unanswered ON messages (unanswered_until) WHERE unanswered_until IS NOT NULL;

CREATE INDEX messages_under_way ON messages (msisdn) WHERE status = 'SUBMITTED' AND unanswered_until IS NULL;

CREATE INDEX messages_untouched ON messages (batch_id, id) WHERE stamp_us IS NULL;

CREATE INDEX operator_tests_by_age ON operator_tests (claimed_at);

CREATE INDEX operator_tests_by_key ON operator_tests (smsc_key) WHERE smsc_key IS NOT NULL;

CREATE INDEX operator_tests_by_number ON operator_tests (msisdn);

CREATE INDEX operator_tests_by_time ON operator_tests (operator, claimed_at);

CREATE INDEX operator_tests_of_alarms ON operator_tests (msisdn, claimed_at) WHERE is_alarm = 1;

CREATE INDEX parked_receipts_by_age ON parked_receipts (received_at);

CREATE INDEX parked_receipts_by_number ON parked_receipts (operator, number_key) WHERE number_key IS NOT NULL;

CREATE INDEX parked_receipts_by_smsc_key ON parked_receipts (operator, smsc_key);

CREATE INDEX parked_receipts_unmarked ON parked_receipts (account, id) WHERE is_marked = 0;

CREATE INDEX parts_by_smsc_key ON parts (operator, smsc_key);

CREATE UNIQUE INDEX past_alarms_lasting ON past_alarms (rule, subject) WHERE ended_at IS NULL;

CREATE INDEX price_changes_of_account ON price_changes (account_id, id);

CREATE INDEX recent_sends_by_age ON recent_sends (is_marketing, planned_at, message_id);

CREATE INDEX sandbox_steps_due ON sandbox_steps (due_at);

CREATE INDEX search_blocks_stale ON search_blocks (block) WHERE is_stale = 1;

CREATE INDEX second_ways_due ON second_ways (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX second_ways_untimed ON second_ways (batch_id, message_id) WHERE due_at IS NULL AND is_open = 1;

CREATE INDEX senders_by_name ON senders (name, account_id) WHERE status = 'APPROVED';

CREATE INDEX smsc_accounts_to_sweep ON smsc_accounts (account) WHERE is_swept = 0;

CREATE INDEX unaccepted_submits_by_age ON unaccepted_submits (ended_at, id) WHERE doubt_key IS NOT NULL;

CREATE INDEX unaccepted_submits_in_doubt ON unaccepted_submits (operator, doubt_key) WHERE doubt_key IS NOT NULL;

CREATE INDEX unaccepted_submits_of_message ON unaccepted_submits (message_id, id);

CREATE INDEX user_links_by_age ON user_links (expires_at);

CREATE INDEX user_links_of_user ON user_links (user_id);

CREATE INDEX user_networks_seen ON user_networks (seen_at);

CREATE INDEX user_sessions_by_age ON user_sessions (created_at);

CREATE INDEX user_sessions_of_user ON user_sessions (user_id, id);

CREATE INDEX users_of_account ON users (account_id, id) WHERE account_id IS NOT NULL;

CREATE INDEX wallets_low ON wallets (account_id) WHERE is_low = 1;

CREATE INDEX webhook_attempts_of_endpoint ON webhook_attempts (endpoint_id, id);

CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (id) WHERE status = 'ENABLED';

CREATE INDEX webhook_endpoints_of_account ON webhook_endpoints (account_id, id);

CREATE INDEX webhook_retries_due ON webhook_retries (endpoint_id, due_at);

CREATE INDEX webhook_secrets_of_endpoint ON webhook_secrets (endpoint_id, id);

CREATE INDEX whatsapp_parked_statuses_times ON whatsapp_parked_statuses (received_at);

CREATE INDEX whatsapp_posts_closing ON whatsapp_posts (close_at) WHERE close_at IS NOT NULL;

CREATE INDEX whatsapp_posts_times ON whatsapp_posts (posted_at);

CREATE INDEX whatsapp_posts_users ON whatsapp_posts (user_id) WHERE user_id IS NOT NULL;

CREATE INDEX whatsapp_posts_wa_ids ON whatsapp_posts (wa_id) WHERE wa_id IS NOT NULL;

CREATE INDEX whatsapp_posts_wamid ON whatsapp_posts (wamid) WHERE wamid IS NOT NULL;

CREATE INDEX whatsapp_preferences_of ON whatsapp_preferences (recipient);

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

CREATE TRIGGER sandbox_lanes_are_apart BEFORE UPDATE OF operator ON messages
WHEN (NEW.account_id < 0) <> (NEW.operator GLOB 'sandbox:*')
BEGIN SELECT RAISE(ABORT, 'a message of a sandbox stays in its lane'); END;

PRAGMA application_id = 1114530930;
PRAGMA user_version = 78;
