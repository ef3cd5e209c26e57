-- A database as bendre 0.1.0 left it: an account with money, two batches of which each has a rejection, one that is scheduled.
CREATE TABLE schema_history (
  version INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

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
  created_at INTEGER NOT NULL, recipients_per_minute INTEGER CHECK (recipients_per_minute >= 0), recipients_per_day INTEGER CHECK (recipients_per_day >= 0), marketing_hours TEXT CHECK (marketing_hours GLOB '[0-9][0-9]:[0-9][0-9]-[0-9][0-9]:[0-9][0-9]'), marketing_per_day INTEGER CHECK (marketing_per_day >= 0), marketing_per_week INTEGER CHECK (marketing_per_week >= 0), low_balance INTEGER CHECK (low_balance >= 0),
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

CREATE TABLE wallets (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  funds INTEGER NOT NULL DEFAULT 0,
  reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0)
, is_low INTEGER NOT NULL DEFAULT 0 CHECK (is_low IN (0, 1))) STRICT;

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
  receipt_at INTEGER, attempt INTEGER, connection INTEGER, sequence INTEGER, written_at INTEGER, shape_id INTEGER, receipt_state TEXT, receipt_code TEXT, receipt_connection INTEGER, receipt_sequence INTEGER,
  -- A part that was sent again for want of an answer may have been accepted under two ids.
  PRIMARY KEY (message_id, part, smsc_key)
) STRICT, WITHOUT ROWID;

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
, other_number TEXT NOT NULL DEFAULT '', number_key TEXT, is_marked INTEGER NOT NULL DEFAULT 0 CHECK (is_marked IN (0, 1)), submit_date TEXT, text TEXT, connection INTEGER, sequence INTEGER) STRICT;

CREATE TABLE message_notes (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE TABLE feed_clocks (
  account_id INTEGER PRIMARY KEY,
  last_us INTEGER NOT NULL
) STRICT;

CREATE TABLE idempotency_records (
  api_key_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_sha256 BLOB NOT NULL,
  status INTEGER NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (api_key_id, idempotency_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE suppressions (
  -- 0: the appliance-wide list, which counts for every account.
  account_id INTEGER NOT NULL CHECK (account_id >= 0),
  -- E.164 with '+'.
  msisdn TEXT NOT NULL CHECK (msisdn GLOB '+[0-9]*'),
  -- A recipient who opted out of everything has a row for each class.
  message_class TEXT NOT NULL CHECK (message_class IN ('OTP', 'TRANSACTIONAL', 'MARKETING')),
  -- An administrator by hand, a file, or a word like STOP that the recipient sent.
  source TEXT NOT NULL CHECK (source IN ('ADMIN', 'IMPORT', 'KEYWORD')),
  created_at INTEGER NOT NULL,
  note TEXT,
  PRIMARY KEY (account_id, msisdn, message_class)
) STRICT, WITHOUT ROWID;

CREATE TABLE recent_sends (
  -- A hash of account and number; the message tells whether it is really them.
  recipient_key INTEGER NOT NULL,
  planned_at INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  -- A hash of the rendered text.
  text_key INTEGER NOT NULL,
  is_marketing INTEGER NOT NULL CHECK (is_marketing IN (0, 1)),
  PRIMARY KEY (recipient_key, planned_at, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE recipient_counts (
  account_id INTEGER NOT NULL,
  span TEXT NOT NULL CHECK (span IN ('D', 'S')),
  starts_at INTEGER NOT NULL,
  recipients INTEGER NOT NULL CHECK (recipients >= 0),
  PRIMARY KEY (account_id, span, starts_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE submitted_recipients (
  batch_id INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  -- A JSON array of {msisdn, attributes}.
  recipients TEXT NOT NULL,
  PRIMARY KEY (batch_id, piece)
) STRICT, WITHOUT ROWID;

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
) STRICT;

CREATE TABLE low_balance_crossings (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  crossed_at INTEGER NOT NULL,
  spendable INTEGER NOT NULL,
  low_balance INTEGER NOT NULL
) STRICT;

CREATE TABLE "price_changes" (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK (message_class IN ('', 'OTP', 'TRANSACTIONAL', 'MARKETING')),
  -- NULL: taken away.
  amount INTEGER CHECK (amount >= 0),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE submit_shapes (
  id INTEGER PRIMARY KEY,
  -- A JSON object of its fields.
  fields TEXT NOT NULL UNIQUE
) STRICT;

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
  shape_id INTEGER,
  -- When it left at the earliest, and when it ended so.
  written_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  -- The end of the recipient's number, while the operator may have it and nothing has told so.
  doubt_key TEXT,
  CHECK ((outcome = 'UNANSWERED') = (command_status IS NULL)),
  CHECK (doubt_key IS NULL OR outcome = 'UNANSWERED')
) STRICT;

CREATE TABLE receipt_id_forms (
  operator TEXT NOT NULL,
  form TEXT NOT NULL CHECK (form IN ('exact', 'padded', 'decimal', 'hexadecimal')),
  matches INTEGER NOT NULL,
  PRIMARY KEY (operator, form)
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

INSERT INTO schema_history VALUES (1, 1795377680202);
INSERT INTO schema_history VALUES (2, 1795377680202);
INSERT INTO schema_history VALUES (3, 1795377680202);
INSERT INTO schema_history VALUES (4, 1795377680202);
INSERT INTO schema_history VALUES (5, 1795377680202);
INSERT INTO accounts VALUES (1, '01M82DJQHNXE99C9PXS07XDD99', 'Faso Shop', 'ACTIVE', NULL, 'Africa/Ouagadougou', 'PREPAID', 0, NULL, 'OTP,TRANSACTIONAL,MARKETING', 1795377684021, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO api_keys VALUES (1, 'KM7EZ4C20GCH', 1, 'k', 'MESSAGES_SEND,MESSAGES_READ,ACCOUNT_READ,SENDER_IDS_READ,WEBHOOKS_MANAGE', x'a963c35402fb878f3eab2208538687f49724de9c0d6e902adced157644c6542e', 1795377684931, NULL, NULL);
INSERT INTO senders VALUES (1, 1, 'ACME', 'APPROVED', NULL, 1795377684390);
INSERT INTO sender_registrations VALUES (1, 'orange', 1795377684770);
INSERT INTO audit_entries VALUES (1, 1795377684021, 'uid 0', 'account create', '01M82DJQHNXE99C9PXS07XDD99', '{"name":"Faso Shop","billing_mode":"PREPAID","credit_limit":0,"timezone":"Africa/Ouagadougou"}');
INSERT INTO audit_entries VALUES (2, 1795377684210, 'uid 0', 'wallet topup', '01M82DJQHNXE99C9PXS07XDD99', '{"amount":10000,"reference":"r1"}');
INSERT INTO audit_entries VALUES (3, 1795377684390, 'uid 0', 'sender request', '01M82DJQHNXE99C9PXS07XDD99', '{"sender":"ACME"}');
INSERT INTO audit_entries VALUES (4, 1795377684578, 'uid 0', 'sender approve', '01M82DJQHNXE99C9PXS07XDD99', '{"sender":"ACME"}');
INSERT INTO audit_entries VALUES (5, 1795377684770, 'uid 0', 'sender register', '01M82DJQHNXE99C9PXS07XDD99', '{"sender":"ACME","operator":"orange"}');
INSERT INTO audit_entries VALUES (6, 1795377684931, 'uid 0', 'key create', 'KM7EZ4C20GCH', '{"account_id":"01M82DJQHNXE99C9PXS07XDD99","name":"k","scopes":["MESSAGES_SEND","MESSAGES_READ","ACCOUNT_READ","SENDER_IDS_READ","WEBHOOKS_MANAGE"],"expires_at":null}');
INSERT INTO audit_entries VALUES (7, 1795377688221, 'uid 0', 'suppression add', '01M82DJQHNXE99C9PXS07XDD99', '{"msisdn":"+22670000099","message_class":"all"}');
INSERT INTO wallets VALUES (1, 9925, 15, 0);
INSERT INTO ledger VALUES (1, 1, 'TOPUP', 'CASH', 'FUNDS', 10000, 'topup:01M82DJQHNXE99C9PXS07XDD99:r1', NULL, 'r1', 1795377684210);
INSERT INTO ledger VALUES (2, 1, 'RESERVE', 'FUNDS', 'RESERVED', 30, 'batch:01M82DJREM6MVE119E8MGPP9JE:reserve', 1, NULL, 1795377684948);
INSERT INTO ledger VALUES (3, 1, 'RESERVE', 'FUNDS', 'RESERVED', 30, 'batch:01M82DJRF40Q7MFH96YWE52M3S:reserve', 2, NULL, 1795377684964);
INSERT INTO ledger VALUES (4, 1, 'RESERVE', 'FUNDS', 'RESERVED', 15, 'batch:01M82DJRFHKG82AKRGTMKCV9N0:reserve', 3, NULL, 1795377684977);
INSERT INTO ledger VALUES (5, 1, 'CHARGE', 'RESERVED', 'EARNED', 30, 'batch:01M82DJRF40Q7MFH96YWE52M3S:charge:1', 2, NULL, 1795377686277);
INSERT INTO ledger VALUES (6, 1, 'CHARGE', 'RESERVED', 'EARNED', 30, 'batch:01M82DJREM6MVE119E8MGPP9JE:charge:1', 1, NULL, 1795377686465);
INSERT INTO batches VALUES (1, '01M82DJREM6MVE119E8MGPP9JE', 1, 'SETTLED', 'ACME', 'SMS', 'TRANSACTIONAL', 'Bonjour {n} 1', 0, 'Africa/Ouagadougou', 1795377684948, NULL, 1795464084948, 'accepted', 1, 2, 1, 2, NULL, 2, 2, 2, 2, 0, 0, 0, 0, 30, 30, 0, 30, 0, 1, NULL, NULL, NULL, NULL, 1795377686465);
INSERT INTO batches VALUES (2, '01M82DJRF40Q7MFH96YWE52M3S', 1, 'SETTLED', 'ACME', 'SMS', 'TRANSACTIONAL', 'Bonjour {n} 2', 0, 'Africa/Ouagadougou', 1795377684964, NULL, 1795464084964, 'accepted', 3, 2, 1, 2, NULL, 2, 2, 2, 2, 0, 0, 0, 0, 30, 30, 0, 30, 0, 1, NULL, NULL, NULL, NULL, 1795377686277);
INSERT INTO batches VALUES (3, '01M82DJRFHKG82AKRGTMKCV9N0', 1, 'SCHEDULED', 'ACME', 'SMS', 'MARKETING', 'Demain', 0, 'Africa/Ouagadougou', 1795377684977, 1795428000000, 1795773600000, 'accepted', 5, 1, 0, 1, NULL, 1, 0, 0, 0, 0, 0, 1, 1, 15, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO rejections VALUES (1, 1, '+22671000001', 'UNROUTABLE_PREFIX');
INSERT INTO rejections VALUES (2, 1, '+22671000002', 'UNROUTABLE_PREFIX');
INSERT INTO messages VALUES (1, '01M82DJRES1RCA9YHH2Y634TKH', 1, 1, 0, '+22670000001', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour a 1', 1795377684948, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377686465000, 1795377684948, 1795377684959, 1795377684973, 1795377686465, 1795377686465);
INSERT INTO messages VALUES (2, '01M82DJRES1RCA9YHH2Y634TKJ', 1, 1, 2, '+22670000011', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour  1', 1795377684948, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377685990000, 1795377684948, 1795377684959, 1795377684973, 1795377685990, 1795377685990);
INSERT INTO messages VALUES (3, '01M82DJRF55SR4CYS19QV4KWJY', 1, 2, 0, '+22670000002', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour a 2', 1795377684964, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377686038000, 1795377684964, 1795377684973, 1795377684984, 1795377686038, 1795377686038);
INSERT INTO messages VALUES (4, '01M82DJRF55SR4CYS19QV4KWJZ', 1, 2, 2, '+22670000012', 'orange', 'DELIVERED', 1, 1, 'GSM7', 1, 15, 15, 'Bonjour  2', 1795377684964, 1, 0, NULL, NULL, NULL, NULL, NULL, 1795377686277000, 1795377684964, 1795377684973, 1795377684984, 1795377686277, 1795377686277);
INSERT INTO messages VALUES (5, '01M82DJRFNTCH00V9955Z55T9R', 1, 3, 0, '+22670000050', 'orange', 'QUEUED', 0, 0, 'GSM7', 1, 15, 0, NULL, 1795428000000, 0, 0, NULL, NULL, NULL, NULL, NULL, 1795377684983000, 1795377684977, NULL, NULL, NULL, NULL);
INSERT INTO parts VALUES (1, 1, 'orange', 'DELIVERED', '2175408800171', '2175408800171', NULL, NULL, 1795377684973, 1795377686465, 1, 1, 3, 1795377684963, 1, 'DELIVRD', '0', 1, 4);
INSERT INTO parts VALUES (2, 1, 'orange', 'DELIVERED', '2175408800172', '2175408800172', NULL, NULL, 1795377684973, 1795377685990, 1, 1, 4, 1795377684964, 1, 'DELIVRD', '0', 1, 1);
INSERT INTO parts VALUES (3, 1, 'orange', 'DELIVERED', '2175408800173', '2175408800173', NULL, NULL, 1795377684984, 1795377686038, 1, 1, 5, 1795377684976, 1, 'DELIVRD', '0', 1, 2);
INSERT INTO parts VALUES (4, 1, 'orange', 'DELIVERED', '2175408800174', '2175408800174', NULL, NULL, 1795377684984, 1795377686277, 1, 1, 6, 1795377684976, 1, 'DELIVRD', '0', 1, 3);
INSERT INTO feed_clocks VALUES (1, 1795377686465000);
INSERT INTO idempotency_records VALUES (1, 'k1', x'11f64198028be1ed05ab2700016e0a3211f6564c27b9cfa05b3ddbf34c773d20', 202, '{"data":{"batch_id":"01M82DJREM6MVE119E8MGPP9JE","status":"QUEUED","accepted":2,"rejected":1,"rejections":[{"index":1,"msisdn":"+22671000001","reason_code":"UNROUTABLE_PREFIX"}],"reserved_amount":30,"currency":"XOF","total_segments":2}}', 1795377684955);
INSERT INTO idempotency_records VALUES (1, 'k2', x'd47759aa6a990357515fea756dd3f862c4164c323f32784d07765ceb3ad7ad1d', 202, '{"data":{"batch_id":"01M82DJRF40Q7MFH96YWE52M3S","status":"QUEUED","accepted":2,"rejected":1,"rejections":[{"index":1,"msisdn":"+22671000002","reason_code":"UNROUTABLE_PREFIX"}],"reserved_amount":30,"currency":"XOF","total_segments":2}}', 1795377684967);
INSERT INTO idempotency_records VALUES (1, 'k9', x'6d7dbe924a3bba25b57c8f8e5b00d0728b1c2a8e71a6fc35d26d16c2d75ac993', 202, '{"data":{"batch_id":"01M82DJRFHKG82AKRGTMKCV9N0","status":"SCHEDULED","accepted":1,"rejected":0,"rejections":[],"reserved_amount":15,"currency":"XOF","total_segments":1}}', 1795377684983);
INSERT INTO suppressions VALUES (1, '+22670000099', 'MARKETING', 'ADMIN', 1795377688221, NULL);
INSERT INTO suppressions VALUES (1, '+22670000099', 'OTP', 'ADMIN', 1795377688221, NULL);
INSERT INTO suppressions VALUES (1, '+22670000099', 'TRANSACTIONAL', 'ADMIN', 1795377688221, NULL);
INSERT INTO recent_sends VALUES (324102795676663, 1795377684948, 1, 1514181705991174, 0);
INSERT INTO recent_sends VALUES (372091326305085, 1795428000000, 5, 8038077989120928, 1);
INSERT INTO recent_sends VALUES (1083534117668827, 1795377684964, 3, 4566850420642388, 0);
INSERT INTO recent_sends VALUES (6080128436499297, 1795377684948, 2, 6472326679113760, 0);
INSERT INTO recent_sends VALUES (7131186004657904, 1795377684964, 4, 2010062699069208, 0);
INSERT INTO recipient_counts VALUES (1, 'D', 1795305600000, 5);
INSERT INTO recipient_counts VALUES (1, 'S', 1795377684000, 5);
INSERT INTO submit_shapes VALUES (1, '{"service_type":"","source_addr_ton":5,"source_addr_npi":0,"source_addr":"ACME","dest_addr_ton":1,"dest_addr_npi":1,"esm_class":0,"priority_flag":0,"registered_delivery":1,"data_coding":0,"long_message":"no"}');
CREATE INDEX api_keys_of_account ON api_keys (account_id);

CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;

CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;

CREATE INDEX batches_of_account ON batches (account_id, id);

CREATE INDEX batches_open ON batches (status, id) WHERE status NOT IN ('SETTLED', 'REJECTED', 'FAILED', 'CANCELLED');

CREATE INDEX batches_staged_feed ON batches (account_id, queued_stamp_us) WHERE queued_stamp_us IS NOT NULL;

CREATE INDEX batches_unfolded ON batches (id)
  WHERE charged_amount <> posted_charged OR released_amount <> posted_released;

CREATE INDEX messages_queue ON messages (batch_id, operator, not_before, id) WHERE status = 'QUEUED';

CREATE INDEX messages_unanswered ON messages (unanswered_until) WHERE unanswered_until IS NOT NULL;

CREATE INDEX messages_feed ON messages (account_id, stamp_us) WHERE stamp_us IS NOT NULL;

CREATE INDEX messages_untouched ON messages (batch_id, id) WHERE stamp_us IS NULL;

CREATE INDEX parts_by_smsc_key ON parts (operator, smsc_key);

CREATE INDEX parked_receipts_by_smsc_key ON parked_receipts (operator, smsc_key);

CREATE INDEX parked_receipts_by_age ON parked_receipts (received_at);

CREATE INDEX message_notes_of_message ON message_notes (message_id, id);

CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);

CREATE INDEX ledger_of_account ON ledger (account_id, created_at);

CREATE INDEX ledger_of_batch ON ledger (batch_id) WHERE batch_id IS NOT NULL;

CREATE INDEX ledger_checkpoints_by_time ON ledger_checkpoints (account_id, created_at);

CREATE INDEX price_changes_of_account ON price_changes (account_id, id);

CREATE INDEX unaccepted_submits_of_message ON unaccepted_submits (message_id, id);

CREATE INDEX unaccepted_submits_in_doubt ON unaccepted_submits (operator, doubt_key) WHERE doubt_key IS NOT NULL;

CREATE INDEX unaccepted_submits_by_age ON unaccepted_submits (ended_at, id) WHERE doubt_key IS NOT NULL;

CREATE INDEX messages_submitted ON messages (msisdn) WHERE status = 'SUBMITTED';

CREATE INDEX parked_receipts_by_number ON parked_receipts (operator, number_key) WHERE number_key IS NOT NULL;

CREATE INDEX recent_sends_by_age ON recent_sends (is_marketing, planned_at);

CREATE INDEX inbound_texts_by_age ON inbound_texts (received_at);

CREATE INDEX inbound_texts_of_operator ON inbound_texts (operator, received_at);

CREATE INDEX inbound_texts_by_content ON inbound_texts (content_key);

CREATE INDEX inbound_parts_by_age ON inbound_parts (received_at);

PRAGMA application_id = 1114530930;
PRAGMA user_version = 5;
