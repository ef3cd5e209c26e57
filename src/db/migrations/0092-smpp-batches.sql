-- Whether a batch came over SMPP: lists of batches leave those out.
ALTER TABLE batches ADD COLUMN is_smpp INTEGER NOT NULL DEFAULT 0;
-- Administrators look for an id of whatever user.
DROP INDEX smpp_follows_by_reply;
CREATE UNIQUE INDEX smpp_follows_by_reply ON smpp_follows (reply_id, user_id);
