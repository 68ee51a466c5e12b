-- Entries of one pack are looked up by its piece; slots remember when they were taken, so that a crash costs a check of
-- the recent ones only. Slots of version 1 count as recent.
CREATE INDEX IF NOT EXISTS entry_piece ON entry (piece);
ALTER TABLE slot ADD COLUMN IF NOT EXISTS taken BIGINT DEFAULT 9223372036854775807 NOT NULL;
-- Transfers that are gone, of which pieces or entries remain to be removed bit by bit.
CREATE TABLE IF NOT EXISTS purge (
    id BIGINT PRIMARY KEY
);
