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
