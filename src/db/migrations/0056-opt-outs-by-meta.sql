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
