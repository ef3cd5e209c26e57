-- Batches that were called off and still wait for receipts of what had left: few among all that were ever called off.
CREATE INDEX batches_called_off ON batches (id) WHERE status = 'CANCELLED' AND unfinished > 0;
