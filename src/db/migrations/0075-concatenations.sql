-- Under which concatenation reference a text of several segments left, so that what is sent again of it joins what was sent before.
CREATE TABLE concatenations (
  message_id INTEGER PRIMARY KEY,
  reference INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255)
) STRICT;

-- How far the references of recipients and senders have been counted: 1,024 rows of 256 counters, an octet each. A recipient and a
-- sender are one of the counters by a hash, so nobody's number stands here and no more rows are ever made.
CREATE TABLE concatenation_counters (
  place INTEGER PRIMARY KEY CHECK (place BETWEEN 0 AND 1023),
  reached BLOB NOT NULL CHECK (length(reached) = 256)
) STRICT;
