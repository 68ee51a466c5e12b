package io.longhaul.storage;

/**
 * One receipt, given (incoming) or taken (outgoing); unique by direction, transfer id and subscription.
 *
 * @param receipt the receipt as JSON
 */
public record ReceiptRow(
        Direction direction, String transferId, String topic, String subscription, long atMillis, String receipt) {}
