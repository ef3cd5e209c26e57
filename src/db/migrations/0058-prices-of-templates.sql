-- Deliveries that Meta priced as another category than their message's class, since somebody released the template last. priced_as: what
-- it priced the latest as. price_stopped_at: since when nothing is sent with it for that.
ALTER TABLE whatsapp_templates ADD COLUMN mispriced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE whatsapp_templates ADD COLUMN priced_as TEXT;
ALTER TABLE whatsapp_templates ADD COLUMN price_stopped_at INTEGER;
ALTER TABLE whatsapp_templates ADD COLUMN released_at INTEGER NOT NULL DEFAULT 0;
