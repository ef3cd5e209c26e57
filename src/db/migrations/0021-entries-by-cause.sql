-- The entries of a batch are found by their cause, which begins with its name: no index by batch is written with each.
DROP INDEX ledger_of_batch;
