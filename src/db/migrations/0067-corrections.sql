-- Which batch a batch corrects: it was sent out of rows of that one's file, or to those whom that one failed to reach.
CREATE TABLE corrections (
  batch_id INTEGER PRIMARY KEY,
  corrects INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_by_corrected ON corrections (corrects);
