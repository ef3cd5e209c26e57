-- Which executable brought the schema here, and the backup that it made before; NULL of a new database and of steps before this one.
ALTER TABLE schema_history ADD COLUMN executable TEXT;
ALTER TABLE schema_history ADD COLUMN backup TEXT;
