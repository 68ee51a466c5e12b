-- A new ledger at once as the migrations make it, in which each added column copies a table. A new migration changes this, too.
-- Rows of pieces and entries are clustered: id = transfer key * 2^32 + index.
CREATE TABLE transfer (
    id BIGINT PRIMARY KEY,
    direction TINYINT NOT NULL,
    transfer_id VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    order_number BIGINT NOT NULL,
    created_millis BIGINT NOT NULL,
    manifest VARCHAR NOT NULL,
    seal VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    detail VARCHAR NOT NULL
);
CREATE UNIQUE INDEX transfer_identity ON transfer (transfer_id, subscription, direction);
-- What a subscription has in some state, and of that the latest of a name, is found without reading all that it ever had.
CREATE INDEX transfer_state ON transfer (topic, subscription, state, name, order_number DESC, id DESC);
CREATE TABLE piece (
    id BIGINT PRIMARY KEY,
    kind TINYINT NOT NULL,
    entry BIGINT NOT NULL,
    file_offset BIGINT NOT NULL,
    length INT NOT NULL,
    crc32c INT NOT NULL,
    safe BOOLEAN NOT NULL,
    spool BIGINT NOT NULL
);
-- Slots remember when they were taken, so that a crash costs a check of the recent ones only.
CREATE TABLE slot (
    spool BIGINT PRIMARY KEY,
    piece BIGINT NOT NULL,
    taken BIGINT DEFAULT 9223372036854775807 NOT NULL
);
-- A row holds the entries from its number on, so many of them. Those of one pack are looked up by its piece.
CREATE TABLE entry (
    id BIGINT PRIMARY KEY,
    piece BIGINT NOT NULL,
    encoded VARBINARY NOT NULL,
    sha256 VARBINARY NOT NULL,
    entries INT DEFAULT 1 NOT NULL
);
CREATE INDEX entry_piece ON entry (piece);
-- Receipts given form a chain: each has a number, and the hash that the next one names.
CREATE TABLE receipt (
    transfer_id VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    direction TINYINT NOT NULL,
    topic VARCHAR NOT NULL,
    at_millis BIGINT NOT NULL,
    receipt VARCHAR NOT NULL,
    chain_number BIGINT,
    chain_hash VARCHAR,
    PRIMARY KEY (transfer_id, subscription, direction)
);
CREATE UNIQUE INDEX receipt_chain_number ON receipt (chain_number);
-- One row: the end of the chain, so that receipts which are missing there are missed.
CREATE TABLE receipt_chain (
    id TINYINT PRIMARY KEY,
    chain_number BIGINT NOT NULL,
    chain_hash VARCHAR NOT NULL
);
-- Public keys that receipts are expected to be signed with; topic and subscription are empty for the keys of this agent.
CREATE TABLE receipt_key (
    topic VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    public_key VARCHAR NOT NULL,
    since_millis BIGINT NOT NULL,
    PRIMARY KEY (topic, subscription, public_key)
);
-- Receipts taken whose signature is wrong; they must not stand in the way of the right one.
CREATE TABLE refused_receipt (
    transfer_id VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    at_millis BIGINT NOT NULL,
    receipt VARCHAR NOT NULL,
    PRIMARY KEY (transfer_id, subscription)
);
CREATE TABLE lease (
    transfer_id VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    through BIGINT NOT NULL,
    granted_millis BIGINT NOT NULL,
    PRIMARY KEY (transfer_id, subscription)
);
CREATE TABLE setting (
    name VARCHAR PRIMARY KEY,
    content VARCHAR NOT NULL
);
-- Transfers that are gone, of which pieces or entries remain to be removed bit by bit.
CREATE TABLE purge (
    id BIGINT PRIMARY KEY
);
