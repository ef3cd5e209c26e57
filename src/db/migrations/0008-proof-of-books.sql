-- The price that a change found, NULL for none: it must be what the change before it left, so that no price of the past
-- can be altered alone.
ALTER TABLE price_changes ADD COLUMN previous_amount INTEGER CHECK (previous_amount >= 0);
UPDATE price_changes SET previous_amount = before.amount
FROM (SELECT id, lag(amount) OVER (PARTITION BY account_id, operator, message_class ORDER BY id) AS amount
  FROM price_changes) AS before
WHERE before.id = price_changes.id;

-- Why a check of the books came to no end; NULL for one that did.
ALTER TABLE ledger_checks ADD COLUMN failure TEXT;
