-- Networks that a user came in from: what others try under their login elsewhere keeps nobody out there.
CREATE TABLE user_networks (
  user_id INTEGER NOT NULL REFERENCES users (id),
  network TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_networks_seen ON user_networks (seen_at);
INSERT INTO user_networks (user_id, network, seen_at)
SELECT user_id, address, max(seen_at) FROM user_sessions
WHERE stage = 'FULL' AND address <> '' AND instr(address, ':') = 0 GROUP BY user_id, address;

-- 1: the second factor followed from the link that it came by, and whoever has the link has it.
ALTER TABLE users ADD COLUMN has_link_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_link_factor IN (0, 1));
UPDATE users SET has_link_factor = 1 WHERE totp_secret IS NOT NULL AND login NOT IN
  (SELECT subject FROM
     (SELECT subject, action, max(id) FROM audit_entries
      WHERE action = 'user link used' OR action = 'user second factor' GROUP BY subject)
   WHERE action = 'user second factor');

-- The batch whose rejected recipients an answer lists, and from which character of `response` on: they are kept once, as its rejections.
ALTER TABLE idempotency_records ADD COLUMN rejections_of INTEGER;
ALTER TABLE idempotency_records ADD COLUMN rejections_from INTEGER;

-- Rejected recipients of an account on one day of its zone, which began at that instant.
CREATE TABLE rejection_counts (
  account_id INTEGER PRIMARY KEY,
  day INTEGER NOT NULL,
  rejected INTEGER NOT NULL CHECK (rejected >= 0)
) STRICT;
