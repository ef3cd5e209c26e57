-- Callbacks of a message are made one after the other.
CREATE INDEX compat_callbacks_of_message ON compat_callbacks (message_ulid);
