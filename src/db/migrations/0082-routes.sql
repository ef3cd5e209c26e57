-- The route that a submit left by, beside its SMSC account: several routes may be reached over one.
CREATE TABLE new_submit_pdu_parameters (
  id INTEGER PRIMARY KEY,
  account TEXT,
  route TEXT NOT NULL DEFAULT '',
  fields TEXT NOT NULL,
  UNIQUE (account, route, fields)
) STRICT;
INSERT INTO new_submit_pdu_parameters (id, account, fields) SELECT id, account, fields FROM submit_pdu_parameters;
DROP TABLE submit_pdu_parameters;
ALTER TABLE new_submit_pdu_parameters RENAME TO submit_pdu_parameters;

-- The routes that are marked for a message that waits, as bits of route_bits; 0 of all that were never re-routed.
ALTER TABLE messages ADD COLUMN routes_tried INTEGER NOT NULL DEFAULT 0;
CREATE INDEX messages_rerouted ON messages (batch_id, operator, routes_tried, not_before, id)
  WHERE status = 'QUEUED' AND routes_tried <> 0;

-- The bit of each route that ever refused a message, or said "later" too often.
CREATE TABLE route_bits (
  operator TEXT NOT NULL,
  route TEXT NOT NULL,
  bit INTEGER NOT NULL,
  PRIMARY KEY (operator, route),
  UNIQUE (operator, bit)
) STRICT, WITHOUT ROWID;

-- Why a message left a route for another, for its timeline.
CREATE TABLE routed (
  message_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  route TEXT NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('REFUSED', 'LATER')),
  routed_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, attempt)
) STRICT, WITHOUT ROWID;
