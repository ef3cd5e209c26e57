-- What of the braces of a batch's texts is a tag although it is no plain name, {Nom complet}: a JSON list of names, NULL for none.
ALTER TABLE batches ADD COLUMN other_tags TEXT;
