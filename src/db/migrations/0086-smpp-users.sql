-- Who binds over SMPP.
CREATE TABLE smpp_users (
  id INTEGER PRIMARY KEY,
  -- Never given twice, also after its end.
  system_id TEXT NOT NULL UNIQUE,
  -- Below 0: the sandbox of an account.
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  password_hash TEXT NOT NULL,
  -- The password before, which counts until then; NULL: none does.
  old_hash TEXT,
  old_until INTEGER,
  message_class TEXT NOT NULL CHECK (message_class IN ('OTP', 'TRANSACTIONAL', 'MARKETING')),
  classes_by TEXT CHECK (classes_by = 'service_type'),
  sender TEXT,
  max_binds INTEGER NOT NULL CHECK (max_binds BETWEEN 1 AND 50),
  throughput INTEGER NOT NULL CHECK (throughput BETWEEN 1 AND 5000),
  window_size INTEGER NOT NULL CHECK (window_size BETWEEN 1 AND 1000),
  -- Comma-separated; '' is any.
  networks TEXT NOT NULL,
  tls TEXT NOT NULL CHECK (tls IN ('required', 'optional')),
  alphabet TEXT NOT NULL CHECK (alphabet IN ('gsm', 'latin1', 'ascii')),
  ids TEXT NOT NULL CHECK (ids IN ('ulid', 'decimal', 'hex')),
  has_reasons INTEGER NOT NULL CHECK (has_reasons IN (0, 1)),
  receipt_text INTEGER NOT NULL CHECK (receipt_text IN (0, 20)),
  has_inbound INTEGER NOT NULL CHECK (has_inbound IN (0, 1)),
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  CHECK ((old_hash IS NULL) = (old_until IS NULL))
) STRICT;
CREATE INDEX smpp_users_of_account ON smpp_users (account_id);
