-- What the channel of a batch keeps of it, in words that it alone reads: the template of a batch of WhatsApp. No row: nothing.
CREATE TABLE batch_channel_notes (
  batch_id INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;
