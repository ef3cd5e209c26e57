-- Single texts that an administrator sent over an operator to see it work: of no account, without a price.
CREATE TABLE operator_tests (
  id INTEGER PRIMARY KEY,
  ulid TEXT NOT NULL UNIQUE,
  operator TEXT NOT NULL,
  -- E.164 with "+".
  msisdn TEXT NOT NULL,
  sender TEXT NOT NULL,
  actor TEXT NOT NULL,
  -- Durable before its first byte leaves: what a process that died leaves behind is never sent by another.
  claimed_at INTEGER NOT NULL,
  -- The highest number of a parked receipt then.
  parked_before INTEGER NOT NULL,
  -- The connection's place in the list, from 1, once it left.
  connection INTEGER,
  submitted_at INTEGER,
  -- What came of the submit; NULL while nothing has.
  outcome TEXT CHECK (outcome = 'not_sent' OR outcome = 'unanswered' OR outcome = 'accepted' OR outcome = 'refused'),
  answered_at INTEGER,
  command_status INTEGER,
  smsc_id TEXT,
  smsc_key TEXT,
  -- The last receipt: what the operator calls it, and our word for a failure. receipt_at: of the one that ended it.
  raw_state TEXT,
  operator_code TEXT,
  failure TEXT,
  receipt_at INTEGER
) STRICT;

CREATE INDEX operator_tests_by_time ON operator_tests (operator, claimed_at);
CREATE INDEX operator_tests_by_age ON operator_tests (claimed_at);
CREATE INDEX operator_tests_by_key ON operator_tests (smsc_key) WHERE smsc_key IS NOT NULL;
CREATE INDEX operator_tests_by_number ON operator_tests (msisdn);
