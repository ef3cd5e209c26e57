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
