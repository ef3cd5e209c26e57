-- Whose a sender is that a subscriber answers to with STOP.
CREATE INDEX senders_by_name ON senders (name, account_id) WHERE status = 'APPROVED';
