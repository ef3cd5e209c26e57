-- Rows of the files that batches were sent out of: each that was not plainly accepted, and each that is known to be a row of an earlier file.
CREATE TABLE import_rows (
  batch_id INTEGER NOT NULL,
  -- Where the row stands in the file, from 1.
  line INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('UNREADABLE', 'DUPLICATE', 'ALREADY_REACHED', 'REJECTED', 'ACCEPTED')),
  -- Why it was not accepted, with a JSON object of what that is about.
  code TEXT,
  params TEXT NOT NULL DEFAULT '{}',
  -- Its place among the recipients of the batch; NULL of a row that was none.
  position INTEGER,
  -- What stands in the place of its number, and the number that people would look for it by; NULL where nobody can tell.
  written TEXT NOT NULL DEFAULT '',
  msisdn TEXT,
  -- JSON: what the tags of the text would be filled in with; NULL: nothing, or no longer.
  cells TEXT,
  client_reference TEXT,
  -- Which row of an earlier batch's file it is, as its id says.
  of_batch INTEGER,
  of_line INTEGER,
  PRIMARY KEY (batch_id, line),
  CHECK ((code IS NULL) = (status = 'ACCEPTED')),
  CHECK ((of_batch IS NULL) = (of_line IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX import_rows_by_number ON import_rows (msisdn, batch_id) WHERE msisdn IS NOT NULL;
CREATE INDEX import_rows_by_place ON import_rows (batch_id, position) WHERE position IS NOT NULL;

-- Those that a batch keeps and that are not written out yet: a JSON array of them.
CREATE TABLE import_rows_to_write (
  batch_id INTEGER PRIMARY KEY,
  rows TEXT NOT NULL
) STRICT;

-- Rows of before told what became of them by the first words of a sentence. It stays as it was said.
INSERT OR IGNORE INTO unreadable_rows (batch_id, line, written, msisdn, cause, attributes, client_reference)
  SELECT batch_id, value ->> 'line', value ->> 'written', value ->> 'msisdn', value ->> 'cause', value ->> 'attributes',
    value ->> 'client_reference' FROM unreadable_to_write, json_each(rows);
INSERT INTO import_rows (batch_id, line, status, code, params, position, written, msisdn, cells, client_reference)
  SELECT batch_id, line, status,
    CASE
      WHEN status = 'REJECTED' THEN coalesce((SELECT reason FROM rejections r WHERE r.batch_id = u.batch_id AND r.position = u.place), 'REJECTED')
      WHEN status = 'ALREADY_REACHED' THEN iif(cause LIKE 'it repeats a number that the batch before failed %', 'FAILED_BEFORE', 'SERVED_BEFORE')
      WHEN cause = '' THEN 'UNREADABLE_ROW'
      ELSE 'SAID'
    END,
    iif(status IN ('UNREADABLE', 'DUPLICATE') AND cause <> '', json_object('said', cause), '{}'),
    place, written, msisdn, attributes, client_reference
  FROM (SELECT *,
      CASE
        WHEN cause LIKE 'the number is in line %' THEN 'DUPLICATE'
        WHEN cause LIKE 'it repeats a number %' THEN 'ALREADY_REACHED'
        WHEN cause LIKE 'it was rejected, as recipient %' THEN 'REJECTED'
        ELSE 'UNREADABLE'
      END AS status,
      iif(cause LIKE 'it was rejected, as recipient %', CAST(substr(cause, 31) AS INTEGER), NULL) AS place
    FROM unreadable_rows) u;
DROP TABLE unreadable_rows;
DROP TABLE unreadable_to_write;

-- Which rows of an earlier file those of a correction are stands with the rows.
INSERT INTO import_rows (batch_id, line, status, position, of_batch, of_line)
  SELECT c.batch_id, value ->> 2, 'ACCEPTED', value ->> 3, value ->> 0, value ->> 1 FROM corrections c, json_each(c.lines)
  WHERE c.lines IS NOT NULL
  ON CONFLICT DO UPDATE SET of_batch = coalesce(of_batch, excluded.of_batch), of_line = coalesce(of_line, excluded.of_line);
ALTER TABLE corrections DROP COLUMN lines;
-- Whether it sends each the text again that failed, and no file at all.
ALTER TABLE corrections ADD COLUMN is_again INTEGER NOT NULL DEFAULT 0 CHECK (is_again IN (0, 1));
UPDATE corrections SET is_again = 1 WHERE batch_id IN (SELECT id FROM batches WHERE id IN (SELECT batch_id FROM corrections) AND body = '{text}');

-- The file that a batch was sent out of: where its recipients stood there, and the id by which its rows are known that were taken away
-- before anything was sent.
ALTER TABLE file_lines RENAME TO imports;
ALTER TABLE imports ADD COLUMN ulid TEXT;
CREATE INDEX imports_by_id ON imports (ulid) WHERE ulid IS NOT NULL;
