package io.longhaul.storage;

/**
 * One public key that receipts of a subscription are expected to be signed with.
 *
 * @param topic topic of the subscription; empty for a key of this agent
 * @param subscription name of the subscription; empty for a key of this agent
 * @param key the key in hexadecimal
 * @param sinceMillis when it was first seen or last accepted, milliseconds since the epoch; from then on the earlier ones are
 *     not expected any more
 */
public record ReceiptKeyRow(String topic, String subscription, String key, long sinceMillis) {

    /** Returns the row of a key of this agent. */
    public static ReceiptKeyRow own(String key, long sinceMillis) {
        return new ReceiptKeyRow("", "", key, sinceMillis);
    }
}
