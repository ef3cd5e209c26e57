-- Which row of an earlier batch's file each row of a correction is, where its file tells: a JSON list of [that batch, line there, line here,
-- place among the recipients or null], without what stood in the rows.
ALTER TABLE corrections ADD COLUMN lines TEXT;
