-- Receipts belong to the SMSC account that the submit left for: what all submits that look the same share says it too.
CREATE TABLE submit_shapes_of_accounts (
  id INTEGER PRIMARY KEY,
  -- system_id@host:port; NULL of what left before that was noted.
  account TEXT,
  -- A JSON object of its fields.
  fields TEXT NOT NULL,
  UNIQUE (account, fields)
) STRICT;
INSERT INTO submit_shapes_of_accounts (id, fields) SELECT id, fields FROM submit_shapes ORDER BY id;
DROP TABLE submit_shapes;
ALTER TABLE submit_shapes_of_accounts RENAME TO submit_shapes;
