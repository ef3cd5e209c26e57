-- How a submit_sm looked apart from its number, text and times; one row for all that looked the same.
CREATE TABLE submit_shapes (
  id INTEGER PRIMARY KEY,
  -- A JSON object of its fields.
  fields TEXT NOT NULL UNIQUE
) STRICT;

-- How an accepted part left, and what its receipt said, as received. NULL of what was not noted.
ALTER TABLE parts ADD COLUMN attempt INTEGER;
ALTER TABLE parts ADD COLUMN connection INTEGER;
ALTER TABLE parts ADD COLUMN sequence INTEGER;
ALTER TABLE parts ADD COLUMN written_at INTEGER;
ALTER TABLE parts ADD COLUMN shape_id INTEGER;
ALTER TABLE parts ADD COLUMN receipt_state TEXT;
ALTER TABLE parts ADD COLUMN receipt_code TEXT;
ALTER TABLE parts ADD COLUMN receipt_connection INTEGER;
ALTER TABLE parts ADD COLUMN receipt_sequence INTEGER;

-- Submits that were not accepted there and then: refused, put off, or without an answer.
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
CREATE INDEX unaccepted_submits_of_message ON unaccepted_submits (message_id, id);
CREATE INDEX unaccepted_submits_in_doubt ON unaccepted_submits (operator, doubt_key) WHERE doubt_key IS NOT NULL;
CREATE INDEX unaccepted_submits_by_age ON unaccepted_submits (ended_at, id) WHERE doubt_key IS NOT NULL;
INSERT INTO unaccepted_submits (message_id, first_part, last_part, operator, outcome, written_at, ended_at, doubt_key)
  SELECT id, 1, 1, operator, 'UNANSWERED', coalesce(submitted_at, unanswered_at), unanswered_at, substr(msisdn, -8)
  FROM messages WHERE unanswered_until IS NOT NULL;

-- Found by number as well: whether a submit to a number still waits for its id decides whose a receipt is.
DROP INDEX messages_submitted;
CREATE INDEX messages_submitted ON messages (msisdn) WHERE status = 'SUBMITTED';

ALTER TABLE parked_receipts ADD COLUMN other_number TEXT NOT NULL DEFAULT '';
ALTER TABLE parked_receipts ADD COLUMN number_key TEXT;
-- esm_class or optional parameters said that it is a receipt, not only its text.
ALTER TABLE parked_receipts ADD COLUMN is_marked INTEGER NOT NULL DEFAULT 0 CHECK (is_marked IN (0, 1));
ALTER TABLE parked_receipts ADD COLUMN submit_date TEXT;
ALTER TABLE parked_receipts ADD COLUMN text TEXT;
ALTER TABLE parked_receipts ADD COLUMN connection INTEGER;
ALTER TABLE parked_receipts ADD COLUMN sequence INTEGER;
CREATE INDEX parked_receipts_by_number ON parked_receipts (operator, number_key) WHERE number_key IS NOT NULL;

-- In which forms an operator's receipts gave the ids of its responses, once any was not the exact one.
CREATE TABLE receipt_id_forms (
  operator TEXT NOT NULL,
  form TEXT NOT NULL CHECK (form IN ('exact', 'padded', 'decimal', 'hexadecimal')),
  matches INTEGER NOT NULL,
  PRIMARY KEY (operator, form)
) STRICT, WITHOUT ROWID;

-- Marketing is remembered longer than the rest.
DROP INDEX recent_sends_by_age;
CREATE INDEX recent_sends_by_age ON recent_sends (is_marketing, planned_at);

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
CREATE INDEX inbound_texts_of_operator ON inbound_texts (operator, received_at);
CREATE INDEX inbound_texts_by_content ON inbound_texts (content_key);

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
