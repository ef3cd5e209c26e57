-- When an account was closed, NULL while it is not. A closed one is SUSPENDED as well, so that whatever asks whether an account
-- may send needs to know nothing of it.
ALTER TABLE accounts ADD COLUMN closed_at INTEGER CHECK (closed_at IS NULL OR status = 'SUSPENDED');
