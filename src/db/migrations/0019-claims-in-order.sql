-- The highest number that a parked receipt had when the message was claimed last: what a crash leaves in doubt left after
-- that. NULL of what was not noted.
ALTER TABLE messages ADD COLUMN parked_before INTEGER;
