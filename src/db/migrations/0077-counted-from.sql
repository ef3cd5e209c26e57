-- The last message of which a text of several segments may have left under a reference by its number alone.
CREATE TABLE concatenation_start (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uncounted_through INTEGER NOT NULL
) STRICT;

INSERT INTO concatenation_start (id, uncounted_through) SELECT 1, coalesce(max(id), 0) FROM messages;
