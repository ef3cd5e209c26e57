-- What Meta calls a user, in digits, where that is not the number that was written to: by the answer to the post, or by a status.
ALTER TABLE whatsapp_posts ADD COLUMN wa_id TEXT;
CREATE INDEX whatsapp_posts_wa_ids ON whatsapp_posts (wa_id) WHERE wa_id IS NOT NULL;
-- Opt-outs are asked for by their source, whether its number was known when they came or is known to be another's now.
DROP INDEX inbound_texts_unheeded;
CREATE INDEX inbound_texts_stops ON inbound_texts (source) WHERE keyword IS NOT NULL;
