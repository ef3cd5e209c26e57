-- People who sign in to the console.
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  login TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL
    CHECK (role IN ('OWNER', 'OPERATIONS', 'FINANCE', 'SUPPORT', 'ACCOUNT_ADMIN', 'ACCOUNT_SENDER', 'ACCOUNT_READER')),
  account_id INTEGER REFERENCES accounts (id),
  language TEXT CHECK (language IN ('fr', 'en')),
  timezone TEXT,
  status TEXT NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  password_hash TEXT,
  totp_secret TEXT,
  totp_step INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  CHECK ((account_id IS NOT NULL) = (role LIKE 'ACCOUNT_%'))
) STRICT;

CREATE INDEX users_of_account ON users (account_id, id) WHERE account_id IS NOT NULL;

CREATE TABLE user_sessions (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  token_hash TEXT NOT NULL UNIQUE,
  stage TEXT NOT NULL CHECK (stage IN ('PASSWORD', 'FULL')),
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  address TEXT NOT NULL,
  agent TEXT NOT NULL
) STRICT;

CREATE INDEX user_sessions_of_user ON user_sessions (user_id, id);

CREATE INDEX user_sessions_by_age ON user_sessions (created_at);

CREATE TABLE user_links (
  id INTEGER PRIMARY KEY,
  user_id INTEGER REFERENCES users (id),
  secret_hash TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_links_of_user ON user_links (user_id);

CREATE INDEX user_links_by_age ON user_links (expires_at);

CREATE TABLE user_recovery_codes (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  UNIQUE (user_id, code_hash)
) STRICT;
