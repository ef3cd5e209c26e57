-- Statements ask for stretches of time, in which the entries of an account never go back.
DROP INDEX ledger_of_account;
CREATE INDEX ledger_of_account ON ledger (account_id, created_at);
CREATE INDEX ledger_of_batch ON ledger (batch_id) WHERE batch_id IS NOT NULL;

-- What the entries of an account come to, up to and with one of them, so that the opening balance of a statement need
-- not read years of entries. The check of the books recomputes each.
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
CREATE INDEX ledger_checkpoints_by_time ON ledger_checkpoints (account_id, created_at);

-- What each check of the books found.
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

-- Whether the account was told that it has little left to spend; it is told again once it had enough in between.
ALTER TABLE wallets ADD COLUMN is_low INTEGER NOT NULL DEFAULT 0 CHECK (is_low IN (0, 1));

-- An account's own price may be taken away again: the operator's counts from then on, and the history says when.
CREATE TABLE price_history (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operator TEXT NOT NULL,
  -- '' is every class that has no price of its own.
  message_class TEXT NOT NULL CHECK (message_class IN ('', 'OTP', 'TRANSACTIONAL', 'MARKETING')),
  -- NULL: taken away.
  amount INTEGER CHECK (amount >= 0),
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO price_history SELECT * FROM price_changes;
DROP TABLE price_changes;
ALTER TABLE price_history RENAME TO price_changes;
CREATE INDEX price_changes_of_account ON price_changes (account_id, id);
