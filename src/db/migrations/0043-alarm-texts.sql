-- The text by which a letter of the channel "sms" was told last, or may have been.
ALTER TABLE alarm_letters ADD COLUMN trial_id INTEGER;

-- 1: it tells an alarm, and is none of those that an administrator may send in an hour.
ALTER TABLE operator_tests ADD COLUMN is_alarm INTEGER NOT NULL DEFAULT 0 CHECK (is_alarm IN (0, 1));

CREATE INDEX operator_tests_of_alarms ON operator_tests (msisdn, claimed_at) WHERE is_alarm = 1;
