-- Sends of one time stand in the order of their messages, which is that of writing: those of a campaign are written side by side,
-- and not each into a page of its own.
DROP INDEX recent_sends_by_age;
CREATE INDEX recent_sends_by_age ON recent_sends (is_marketing, planned_at, message_id);
