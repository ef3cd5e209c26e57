-- Where the recipients of a batch stood in the file that it was sent out of: a JSON array of [place in the batch, line], one for each run
-- of places whose lines follow each other.
CREATE TABLE file_lines (
  batch_id INTEGER PRIMARY KEY,
  runs TEXT NOT NULL
) STRICT;
