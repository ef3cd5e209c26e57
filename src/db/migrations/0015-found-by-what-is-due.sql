-- Work is found from what is due, never by looking at all batches that have not ended: most of them only wait for receipts.
-- Each index holds what one search is after and nothing else.
DROP INDEX batches_called_off;

-- No message that waits for its receipt was SENT before this. NULL: none can wait. It is where the search for overdue
-- receipts begins, and moves on with it.
ALTER TABLE batches ADD COLUMN awaiting_since INTEGER;
UPDATE batches SET awaiting_since = created_at
WHERE unfinished > 0 AND (submitted > 0 OR status IN ('SENDING', 'CANCELLED'));

DROP INDEX batches_open;
CREATE INDEX batches_staged ON batches (id) WHERE status = 'STAGING';
CREATE INDEX batches_validating ON batches (account_id, id) WHERE status = 'VALIDATING';
CREATE INDEX batches_scheduled ON batches (scheduled_at) WHERE status = 'SCHEDULED' AND cancel_reason IS NULL;
CREATE INDEX batches_awaiting ON batches (awaiting_since) WHERE awaiting_since IS NOT NULL;
