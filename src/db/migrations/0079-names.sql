-- Tables and columns by the names that their code has for them. A rename changes the schema alone and rewrites no row, so it takes as long for
-- ten million of them. An index has no rename: those of small tables are built again under the table's new name, those of
-- `fallbacks` and `recent_messages`, which are as many as the messages, keep theirs.

ALTER TABLE parked_receipts RENAME TO unmatched_receipts;
ALTER TABLE parked_texts RENAME TO unmatched_texts;
ALTER TABLE whatsapp_parked_statuses RENAME TO whatsapp_unmatched_statuses;
ALTER TABLE unmarked_evidence RENAME TO receipt_detection;
ALTER TABLE submit_shapes RENAME TO submit_pdu_parameters;
ALTER TABLE whole_claims RENAME TO payload_claims;
ALTER TABLE second_ways RENAME TO fallbacks;
ALTER TABLE recent_sends RENAME TO recent_messages;
ALTER TABLE send_runs RENAME TO recent_message_runs;
ALTER TABLE pass_marks RENAME TO cursors;
ALTER TABLE sandbox_fillings RENAME TO sandbox_credits;
ALTER TABLE alarms RENAME TO alerts;
ALTER TABLE alarm_letters RENAME TO notifications;
ALTER TABLE alarm_silences RENAME TO alert_silences;
ALTER TABLE past_alarms RENAME TO past_alerts;

ALTER TABLE messages RENAME COLUMN parked_before TO unmatched_before;
ALTER TABLE parts RENAME COLUMN parked_before TO unmatched_before;
ALTER TABLE parts RENAME COLUMN shape_id TO pdu_parameters_id;
ALTER TABLE unaccepted_submits RENAME COLUMN parked_before TO unmatched_before;
ALTER TABLE unaccepted_submits RENAME COLUMN shape_id TO pdu_parameters_id;
ALTER TABLE operator_tests RENAME COLUMN parked_before TO unmatched_before;
ALTER TABLE restores RENAME COLUMN parked_before TO unmatched_before;
ALTER TABLE messages RENAME COLUMN is_squared TO is_money_closed;
ALTER TABLE batches RENAME COLUMN unsquared TO unclosed;
ALTER TABLE fallbacks RENAME COLUMN beyond_amount TO excess_amount;
ALTER TABLE purged_lines RENAME COLUMN beyond_amount TO excess_amount;
ALTER TABLE unaccepted_submits RENAME COLUMN doubt_key TO number_key;
ALTER TABLE operator_tests RENAME COLUMN is_alarm TO is_alert;
ALTER TABLE alerts RENAME COLUMN told_at TO notified_at;
ALTER TABLE notifications RENAME COLUMN trial_id TO test_id;

DROP INDEX alarm_letters_ended;
CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;
DROP INDEX alarm_letters_waiting;
CREATE INDEX notifications_waiting ON notifications (channel, id) WHERE outcome IS NULL;
DROP INDEX batches_unfolded;
CREATE INDEX batches_unposted ON batches (id) WHERE charged_amount <> posted_charged OR released_amount <> posted_released;
DROP INDEX operator_tests_of_alarms;
CREATE INDEX operator_tests_of_alerts ON operator_tests (msisdn, claimed_at) WHERE is_alert = 1;
DROP INDEX past_alarms_lasting;
CREATE UNIQUE INDEX past_alerts_lasting ON past_alerts (rule, subject) WHERE ended_at IS NULL;
DROP INDEX parked_receipts_by_age;
CREATE INDEX unmatched_receipts_by_age ON unmatched_receipts (received_at);
DROP INDEX parked_receipts_by_number;
CREATE INDEX unmatched_receipts_by_number ON unmatched_receipts (operator, number_key) WHERE number_key IS NOT NULL;
DROP INDEX parked_receipts_by_smsc_key;
CREATE INDEX unmatched_receipts_by_smsc_key ON unmatched_receipts (operator, smsc_key);
DROP INDEX parked_receipts_unmarked;
CREATE INDEX unmatched_receipts_unmarked ON unmatched_receipts (account, id) WHERE is_marked = 0;
DROP INDEX unaccepted_submits_in_doubt;
CREATE INDEX unaccepted_submits_by_number ON unaccepted_submits (operator, number_key) WHERE number_key IS NOT NULL;
DROP INDEX whatsapp_parked_statuses_times;
CREATE INDEX whatsapp_unmatched_statuses_times ON whatsapp_unmatched_statuses (received_at);

-- Only 0.1.0 noted when wallets ran low, and nobody has read it since.
DROP TABLE IF EXISTS low_balance_crossings;
