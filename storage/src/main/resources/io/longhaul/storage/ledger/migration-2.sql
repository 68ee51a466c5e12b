-- Entries of one pack are looked up by its piece; slots remember when they were taken, so that a crash costs a check of
-- the recent ones only. Slots of version 1 count as recent.
CREATE INDEX IF NOT EXISTS entry_piece ON entry (piece);
ALTER TABLE slot ADD COLUMN IF NOT EXISTS taken BIGINT DEFAULT 9223372036854775807 NOT NULL;
