-- With batch_id in it, the messages of one batch are found in the account's feed without looking at those of others.
DROP INDEX messages_feed;
CREATE INDEX messages_feed ON messages (account_id, stamp_us, is_final, batch_id) WHERE stamp_us IS NOT NULL;
