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
