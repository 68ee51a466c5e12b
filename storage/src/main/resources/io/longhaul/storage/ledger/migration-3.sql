-- Receipts given form a chain: each has a number, and the hash that the next one names. Those of version 2 are in none.
ALTER TABLE receipt ADD COLUMN IF NOT EXISTS chain_number BIGINT;
ALTER TABLE receipt ADD COLUMN IF NOT EXISTS chain_hash VARCHAR;
CREATE UNIQUE INDEX IF NOT EXISTS receipt_chain_number ON receipt (chain_number);
-- One row: the end of the chain, so that receipts which are missing there are missed.
CREATE TABLE IF NOT EXISTS receipt_chain (
    id TINYINT PRIMARY KEY,
    chain_number BIGINT NOT NULL,
    chain_hash VARCHAR NOT NULL
);
-- Public keys that receipts are expected to be signed with; topic and subscription are empty for the keys of this agent.
CREATE TABLE IF NOT EXISTS receipt_key (
    topic VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    public_key VARCHAR NOT NULL,
    since_millis BIGINT NOT NULL,
    PRIMARY KEY (topic, subscription, public_key)
);
-- Receipts taken whose signature is wrong; they must not stand in the way of the right one.
CREATE TABLE IF NOT EXISTS refused_receipt (
    transfer_id VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    at_millis BIGINT NOT NULL,
    receipt VARCHAR NOT NULL,
    PRIMARY KEY (transfer_id, subscription)
);
