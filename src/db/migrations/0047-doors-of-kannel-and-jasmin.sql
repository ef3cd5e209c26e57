-- Who asks at the doors for clients of Kannel and Jasmin, and what those clients are to be told of their messages.
CREATE TABLE compat_users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  message_class TEXT NOT NULL CHECK (message_class IN ('TRANSACTIONAL', 'MARKETING', 'OTP')),
  sender TEXT,
  password_sha256 BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE UNIQUE INDEX compat_users_in_use ON compat_users (name) WHERE revoked_at IS NULL;

CREATE INDEX compat_users_of_account ON compat_users (account_id);

-- A message whose client wants callbacks, until it is final and the last of them is written down.
CREATE TABLE compat_follows (
  message_id INTEGER PRIMARY KEY,
  message_ulid TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  protocol TEXT NOT NULL CHECK (protocol IN ('kannel', 'jasmin')),
  url TEXT NOT NULL,
  mask INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('GET', 'POST')),
  user_name TEXT NOT NULL,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  msisdn TEXT NOT NULL,
  is_sent INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX compat_follows_of_account ON compat_follows (account_id);

-- How far the feed of an account was looked through for them; no row where nothing is followed.
CREATE TABLE compat_cursors (
  account_id INTEGER PRIMARY KEY,
  stamp_us INTEGER NOT NULL
) STRICT;

-- A callback that is to be made, until it was taken or given up.
CREATE TABLE compat_callbacks (
  id INTEGER PRIMARY KEY,
  message_ulid TEXT NOT NULL,
  msisdn TEXT,
  protocol TEXT NOT NULL CHECK (protocol IN ('kannel', 'jasmin')),
  url TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('GET', 'POST')),
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;

CREATE INDEX compat_callbacks_due ON compat_callbacks (due_at);

CREATE INDEX compat_callbacks_to ON compat_callbacks (msisdn) WHERE msisdn IS NOT NULL;
