-- When a key was last used, as it was last written down: whoever revokes one knows whether something will miss it.
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
