-- The server that a callback goes to: each has its turn, and none waits for another's. '-' stands for those of before.
ALTER TABLE compat_callbacks ADD COLUMN host TEXT NOT NULL DEFAULT '-';
DROP INDEX compat_callbacks_due;
CREATE INDEX compat_callbacks_due ON compat_callbacks (host, due_at);
