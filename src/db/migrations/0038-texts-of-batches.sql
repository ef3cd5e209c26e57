-- What an account's batches ask for their texts, where they don't say so themselves.
ALTER TABLE accounts ADD COLUMN text_policy TEXT NOT NULL DEFAULT 'as_is'
  CHECK (text_policy IN ('as_is', 'rewrite', 'gsm_only'));
ALTER TABLE accounts ADD COLUMN missing_attributes TEXT NOT NULL DEFAULT 'empty'
  CHECK (missing_attributes IN ('empty', 'reject'));

-- What was in force for a batch; null: 'as_is' and 'empty'. No CHECK: it would read every batch there is.
ALTER TABLE batches ADD COLUMN text_policy TEXT;
ALTER TABLE batches ADD COLUMN missing_attributes TEXT;
-- What its client is told of its tags, as the JSON array that is told; null for nothing.
ALTER TABLE batches ADD COLUMN warnings TEXT;
