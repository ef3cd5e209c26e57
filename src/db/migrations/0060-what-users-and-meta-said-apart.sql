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
