-- Batches that went another way than most, for lists by status. One that is sent and settled never stands here.
CREATE INDEX batches_set_apart ON batches (account_id, created_at)
  WHERE status IN ('VALIDATING', 'SCHEDULED', 'REJECTED', 'FAILED', 'CANCELLED');
