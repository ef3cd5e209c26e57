-- Blocks of 1,024 ids of which messages changed although their clients saw nothing of it, until what is derived from messages was told.
CREATE TABLE quiet_moves (
  block INTEGER PRIMARY KEY
) STRICT;

-- What is on its way by its second way is looked at again when that is no longer worth sending: so it is found by its time.
INSERT INTO quiet_moves (block)
SELECT DISTINCT message_id / 1024 FROM second_ways WHERE due_at IS NOT NULL AND is_open = 1 AND stage = 'SECOND';

-- By the clocks of which timezone blocks told the days of their messages: of the appliance (account 0), and of accounts.
CREATE TABLE figure_zones (
  account_id INTEGER PRIMARY KEY,
  timezone TEXT NOT NULL
) STRICT;

-- How many messages a block had when it told says nothing: they may be of several owners, who keep them for different times.
ALTER TABLE block_figures DROP COLUMN messages;

-- Batches that were not over yet when a pass of the purge came to them: looked at by it until they are.
CREATE TABLE unpurged_batches (
  account_id INTEGER NOT NULL,
  pass TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, pass, batch_id)
) STRICT, WITHOUT ROWID;

-- Rows of a file that a batch keeps and that are not written out yet, as a JSON list: they stand here with the batch from its acceptance on.
CREATE TABLE unreadable_to_write (
  batch_id INTEGER PRIMARY KEY,
  rows TEXT NOT NULL
) STRICT;

-- Who is told of the messages of a large batch, as JSON, until that is written out for each of them.
CREATE TABLE compat_follows_to_write (
  batch_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  follower TEXT NOT NULL
) STRICT;
