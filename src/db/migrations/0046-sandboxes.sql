-- The sandbox of the account n is the account −n: its row holds its wallet and its keys together, all else of it is read from n.
ALTER TABLE accounts ADD COLUMN sandbox_of INTEGER REFERENCES accounts (id)
  CHECK (sandbox_of IS CASE WHEN id < 0 THEN -id END);

-- What a sandbox waits for: an instant, and what happens to the message then.
CREATE TABLE sandbox_steps (
  message_id INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL,
  step TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_steps_due ON sandbox_steps (due_at);

-- The day of its account's timezone for which a sandbox's wallet was filled last.
CREATE TABLE sandbox_fillings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  day TEXT NOT NULL
) STRICT;

-- Whatever becomes of operators and their codes: what is a sandbox's stays in its lane, and nothing else comes into one.
CREATE TRIGGER sandbox_lanes_are_apart BEFORE UPDATE OF operator ON messages
WHEN (NEW.account_id < 0) <> (NEW.operator GLOB 'sandbox:*')
BEGIN SELECT RAISE(ABORT, 'a message of a sandbox stays in its lane'); END;

-- Money of sandboxes is nobody's: what they did is forgotten after some days.
DROP TRIGGER ledger_never_shrinks;
CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger WHEN OLD.account_id > 0
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
