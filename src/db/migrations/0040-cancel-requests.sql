-- When somebody asked for a batch to be cancelled; NULL where nobody did, as where it was too late for its schedule.
ALTER TABLE batches ADD COLUMN cancel_requested_at INTEGER;
UPDATE batches SET cancel_requested_at = asked.at
  FROM (SELECT subject, min(at) AS at FROM audit_entries WHERE action = 'batch cancel' GROUP BY subject) AS asked
  WHERE batches.ulid = asked.subject AND batches.cancel_reason = 'CANCELLED';
