-- What the appliance's configuration says in [policy], overridden for one account. NULL: as the configuration says.
ALTER TABLE accounts ADD COLUMN recipients_per_minute INTEGER CHECK (recipients_per_minute >= 0);
ALTER TABLE accounts ADD COLUMN recipients_per_day INTEGER CHECK (recipients_per_day >= 0);
-- 'HH:MM-HH:MM' in the account's timezone.
ALTER TABLE accounts ADD COLUMN marketing_hours TEXT CHECK (marketing_hours GLOB '[0-9][0-9]:[0-9][0-9]-[0-9][0-9]:[0-9][0-9]');
ALTER TABLE accounts ADD COLUMN marketing_per_day INTEGER CHECK (marketing_per_day >= 0);
ALTER TABLE accounts ADD COLUMN marketing_per_week INTEGER CHECK (marketing_per_week >= 0);
-- Whole XOF. NULL: nobody is told when the wallet runs low.
ALTER TABLE accounts ADD COLUMN low_balance INTEGER CHECK (low_balance >= 0);

-- Who has opted out of what. The key serves both the look-up of one recipient and the list of one account in order.
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

-- Every price an account was ever given, in the order of setting. Rows are never changed.
CREATE TABLE price_changes (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK (message_class IN ('', 'OTP', 'TRANSACTIONAL', 'MARKETING')),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX price_changes_of_account ON price_changes (account_id, id);
INSERT INTO price_changes (account_id, operator, message_class, amount, created_at)
  SELECT account_id, operator, message_class, amount, created_at FROM account_prices ORDER BY created_at;
