-- A note that comes again is counted: an operator may repeat an intermediate receipt for as long as it likes.
ALTER TABLE message_notes ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
-- When it came last; null for notes from before they were counted.
ALTER TABLE message_notes ADD COLUMN last_at INTEGER;
