-- A row holds the entries from its number on, so many of them; those of version 3 hold one.
ALTER TABLE entry ADD COLUMN IF NOT EXISTS entries INT DEFAULT 1 NOT NULL;
