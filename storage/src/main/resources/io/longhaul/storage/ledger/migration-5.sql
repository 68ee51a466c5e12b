-- What a subscription has in some state, and of that the latest of a name, is found without reading all that it ever had.
CREATE INDEX IF NOT EXISTS transfer_state
    ON transfer (topic, subscription, state, name, order_number DESC, id DESC);
DROP INDEX IF EXISTS transfer_name;
