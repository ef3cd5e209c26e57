-- Operators that go by another code since: rows that tell of the past keep the old one.
CREATE TABLE operator_renames (
  old_code TEXT PRIMARY KEY,
  new_code TEXT NOT NULL,
  renamed_at INTEGER NOT NULL,
  CHECK (old_code <> new_code)
) STRICT, WITHOUT ROWID;

-- Claimed messages apart by whether somebody waits for an answer in flight, or for one that is overdue: the first are
-- no more than the windows and outboxes hold, so looking through them for what nobody holds costs that much.
DROP INDEX messages_submitted;
CREATE INDEX messages_under_way ON messages (msisdn) WHERE status = 'SUBMITTED' AND unanswered_until IS NULL;
CREATE INDEX messages_in_doubt ON messages (msisdn) WHERE unanswered_until IS NOT NULL;
