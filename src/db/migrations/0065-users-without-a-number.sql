-- What Meta calls the user whom a post reached, where a status told it: of a user who shows no number nothing else says whose a text is.
ALTER TABLE whatsapp_posts ADD COLUMN user_id TEXT;
CREATE INDEX whatsapp_posts_users ON whatsapp_posts (user_id) WHERE user_id IS NOT NULL;

-- Opt-outs of senders whose number is not known yet.
CREATE INDEX inbound_texts_unheeded ON inbound_texts (source) WHERE msisdn IS NULL AND keyword IS NOT NULL;
