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
