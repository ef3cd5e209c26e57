-- What routes cost: accepted segments by day, operator, route, account and class. It has no numbers, and is kept as long as the ledger.
CREATE TABLE route_costs (
  day TEXT NOT NULL,
  operator TEXT NOT NULL,
  route TEXT NOT NULL,
  account INTEGER NOT NULL,
  class TEXT NOT NULL,
  segments INTEGER NOT NULL,
  cost_milli INTEGER NOT NULL,
  unknown_cost_segments INTEGER NOT NULL,
  PRIMARY KEY (day, operator, route, account, class)
) STRICT, WITHOUT ROWID;
-- Of a submit of unknown outcome: what it costs if it was accepted after all, and whether that is booked.
ALTER TABLE unaccepted_submits ADD COLUMN route TEXT;
ALTER TABLE unaccepted_submits ADD COLUMN cost_day TEXT;
ALTER TABLE unaccepted_submits ADD COLUMN cost_milli INTEGER;
ALTER TABLE unaccepted_submits ADD COLUMN booked_key TEXT;
CREATE INDEX unaccepted_submits_by_route ON unaccepted_submits (operator, route) WHERE number_key IS NOT NULL AND route IS NOT NULL;
