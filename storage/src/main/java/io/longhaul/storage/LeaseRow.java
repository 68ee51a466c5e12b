package io.longhaul.storage;

/**
 * A promise to serve repairs of a transfer until a subscription's receipt.
 *
 * @param through pieces below this index are promised; {@link Long#MAX_VALUE} for all
 */
public record LeaseRow(String transferId, String topic, String subscription, long through, long grantedMillis) {}
