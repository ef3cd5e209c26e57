-- What became of messages, by the day of their acceptance: told from them in blocks behind the sending, beside what searches go by.
-- They stay when the messages are gone.
CREATE TABLE delivery_figures (
  -- 0: a day in the appliance's timezone. 1: in that of the account, where it is another one.
  zone INTEGER NOT NULL CHECK (zone IN (0, 1)),
  -- As in 2026-03-01.
  day TEXT NOT NULL,
  facet_id INTEGER NOT NULL REFERENCES search_facets (id),
  messages INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  segments INTEGER NOT NULL,
  charged INTEGER NOT NULL,
  -- How long receipts took: a JSON object of counts by the logarithm of the milliseconds, to the base 1.1.
  times TEXT NOT NULL,
  PRIMARY KEY (zone, day, facet_id)
) STRICT, WITHOUT ROWID;

-- What of the figures each block has told, so that it can tell what changed.
CREATE TABLE block_figures (
  block INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL,
  -- A JSON array of [zone, day, facet, messages, sent, segments, charged, times].
  figures TEXT NOT NULL
) STRICT;

-- Blocks that were told without figures are told anew.
DELETE FROM search_blocks;
