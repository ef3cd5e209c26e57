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
CREATE UNIQUE INDEX smpp_follows_by_reply ON smpp_follows (user_id, reply_id);
CREATE INDEX smpp_follows_of_message ON smpp_follows (message_id);
CREATE INDEX smpp_follows_open ON smpp_follows (account_id) WHERE is_open = 1;
CREATE INDEX smpp_follows_of_user ON smpp_follows (user_id) WHERE is_open = 1;

-- A receipt that is to be delivered, until it was taken or given up: of what was answered of a message, or of a part that became none.
CREATE TABLE smpp_receipts (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL,
  follow_id INTEGER,
  part_id INTEGER,
  state TEXT NOT NULL,
  error TEXT NOT NULL,
  done_at INTEGER NOT NULL,
  first_due_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  CHECK ((follow_id IS NULL) <> (part_id IS NULL))
) STRICT;
CREATE INDEX smpp_receipts_due ON smpp_receipts (user_id, due_at);
CREATE INDEX smpp_receipts_of_follow ON smpp_receipts (follow_id) WHERE follow_id IS NOT NULL;
CREATE INDEX smpp_receipts_of_part ON smpp_receipts (part_id) WHERE part_id IS NOT NULL;
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
