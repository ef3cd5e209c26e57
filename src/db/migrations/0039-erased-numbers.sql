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
