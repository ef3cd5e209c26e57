-- A template of a WhatsApp Business account as Meta listed it last. why_not: why it cannot be sent; null for one that can.
CREATE TABLE whatsapp_templates (
  waba_id TEXT NOT NULL,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL,
  category TEXT NOT NULL,
  -- The text of its body with its parameters, as Meta writes them.
  body TEXT NOT NULL,
  -- A JSON array: the names of its parameters, each once, in the order of their first appearance.
  parameters TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('NAMED', 'POSITIONAL')),
  -- Whether the code is given a second time, for the button that copies it.
  copies_code INTEGER NOT NULL CHECK (copies_code IN (0, 1)),
  quality TEXT,
  -- How long Meta tries to deliver it; null where it does not say.
  ttl_seconds INTEGER,
  why_not TEXT,
  first_seen_at INTEGER NOT NULL,
  synced_at INTEGER NOT NULL,
  PRIMARY KEY (waba_id, name, language)
) STRICT, WITHOUT ROWID;

-- When the templates of an account were read last, and why they could not be.
CREATE TABLE whatsapp_syncs (
  waba_id TEXT PRIMARY KEY,
  tried_at INTEGER NOT NULL,
  synced_at INTEGER,
  error TEXT
) STRICT;
