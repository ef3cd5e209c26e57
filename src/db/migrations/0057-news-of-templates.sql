-- What Meta tells of a template between two readings, by its webhook or as it refuses a post. heard: by our clock, when it came; a
-- reading that had begun before knows less. told: by Meta's clock, when it happened; what happened before is no news. 0: never.
ALTER TABLE whatsapp_templates ADD COLUMN status_heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN status_told_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN category_heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN category_told_at INTEGER NOT NULL DEFAULT 0;
-- Since when it cannot be sent; NULL for one that can, and for one that never could.
ALTER TABLE whatsapp_templates ADD COLUMN unusable_since INTEGER;
-- When it was moved to the category that it has; NULL: it was not.
ALTER TABLE whatsapp_templates ADD COLUMN moved_at INTEGER;
