-- Entries of an account bear the time at which they were made, also where the clock went back since the one before:
-- (created_at, id) orders a statement, and a checkpoint counts everything up to its place in that order. An entry that is
-- dated before a checkpoint takes it away, and it is made anew.
CREATE TRIGGER ledger_checkpoint_is_overtaken AFTER INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger_checkpoints
  WHERE account_id = NEW.account_id AND (created_at, entry_id) > (NEW.created_at, NEW.id))
BEGIN
  DELETE FROM ledger_checkpoints
  WHERE account_id = NEW.account_id AND (created_at, entry_id) > (NEW.created_at, NEW.id);
END;

-- The wall time that the appliance last believed while it ran, noted now and then: the clock of the next start is compared
-- with it.
CREATE TABLE clock_mark (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  wall_at INTEGER NOT NULL
) STRICT;
INSERT INTO clock_mark (id, wall_at)
SELECT 1, max(newest.at) FROM (
  SELECT (SELECT created_at FROM batches ORDER BY id DESC LIMIT 1) AS at
  UNION ALL SELECT (SELECT at FROM audit_entries ORDER BY id DESC LIMIT 1)
) AS newest HAVING max(newest.at) IS NOT NULL;

-- The batches of an account in the order that lists and invoices ask for: a clock that went back between two of them has not
-- turned their ids and their times alike.
DROP INDEX batches_of_account;
CREATE INDEX batches_of_account ON batches (account_id, created_at);
