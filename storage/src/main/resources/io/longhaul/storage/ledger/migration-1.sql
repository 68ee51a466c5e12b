-- Rows of pieces and entries are clustered: id = transfer key * 2^32 + index.
CREATE TABLE IF NOT EXISTS transfer (
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
CREATE UNIQUE INDEX IF NOT EXISTS transfer_identity ON transfer (transfer_id, subscription, direction);
CREATE INDEX IF NOT EXISTS transfer_name ON transfer (topic, subscription, name);
CREATE TABLE IF NOT EXISTS piece (
    id BIGINT PRIMARY KEY,
    kind TINYINT NOT NULL,
    entry BIGINT NOT NULL,
    file_offset BIGINT NOT NULL,
    length INT NOT NULL,
    crc32c INT NOT NULL,
    safe BOOLEAN NOT NULL,
    spool BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS slot (
    spool BIGINT PRIMARY KEY,
    piece BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS entry (
    id BIGINT PRIMARY KEY,
    piece BIGINT NOT NULL,
    encoded VARBINARY NOT NULL,
    sha256 VARBINARY NOT NULL
);
CREATE TABLE IF NOT EXISTS receipt (
    transfer_id VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    direction TINYINT NOT NULL,
    topic VARCHAR NOT NULL,
    at_millis BIGINT NOT NULL,
    receipt VARCHAR NOT NULL,
    PRIMARY KEY (transfer_id, subscription, direction)
);
CREATE TABLE IF NOT EXISTS lease (
    transfer_id VARCHAR NOT NULL,
    subscription VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    through BIGINT NOT NULL,
    granted_millis BIGINT NOT NULL,
    PRIMARY KEY (transfer_id, subscription)
);
CREATE TABLE IF NOT EXISTS setting (
    name VARCHAR PRIMARY KEY,
    content VARCHAR NOT NULL
);
