-- A message may leave a route for want of an answer, and by which route it went on tells whose segments are of one text.
CREATE TABLE new_routed (
  message_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  route TEXT NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('REFUSED', 'LATER', 'UNANSWERED', 'SILENT')),
  routed_at INTEGER NOT NULL,
  next_route TEXT,
  PRIMARY KEY (message_id, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO new_routed (message_id, attempt, route, why, routed_at) SELECT message_id, attempt, route, why, routed_at FROM routed;
DROP TABLE routed;
ALTER TABLE new_routed RENAME TO routed;

-- Messages of which a segment was accepted by two attempts.
CREATE TABLE accepted_twice (
  message_id INTEGER PRIMARY KEY,
  accepted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX accepted_twice_by_time ON accepted_twice (accepted_at, message_id);
