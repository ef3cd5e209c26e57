-- Which row of the corrected batch's file each row of a correction is, where its file tells: a JSON list of [line there, line here,
-- place among the recipients or null], without what stood in the rows.
ALTER TABLE corrections ADD COLUMN lines TEXT;
