-- What Meta's webhook tells of a template's quality between two readings; heard and told as in 0057.
ALTER TABLE whatsapp_templates ADD COLUMN quality_heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN quality_told_at INTEGER NOT NULL DEFAULT 0;
-- A category that Meta has announced, and when it will be the template's; NULL: none. No reading of Meta's list tells it.
ALTER TABLE whatsapp_templates ADD COLUMN moves_to TEXT;
ALTER TABLE whatsapp_templates ADD COLUMN moves_at INTEGER;
ALTER TABLE whatsapp_templates ADD COLUMN move_told_at INTEGER NOT NULL DEFAULT 0;
