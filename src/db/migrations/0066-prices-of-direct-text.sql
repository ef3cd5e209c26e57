-- How often Meta priced text without a template as another category than its class, by number and class since somebody looked last.
CREATE TABLE whatsapp_direct_prices (
  -- The number's operator code.
  operator TEXT NOT NULL,
  message_class TEXT NOT NULL,
  mispriced INTEGER NOT NULL,
  -- The category of the latest of them.
  priced_as TEXT NOT NULL,
  -- Since when no such text of the class leaves by the number; null: it does.
  stopped_at INTEGER,
  released_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (operator, message_class)
) STRICT, WITHOUT ROWID;
