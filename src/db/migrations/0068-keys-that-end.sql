-- Keys by their end: staff are told of those that end soon, of all accounts at once.
CREATE INDEX api_keys_ending ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
