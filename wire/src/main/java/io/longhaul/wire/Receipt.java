package io.longhaul.wire;

/**
 * A subscriber's durable word on what it did with a transfer.
 *
 * @param transfer identity of the transfer
 * @param topic topic of the subscription
 * @param subscription name of the subscription
 * @param agent name of the subscribing agent
 * @param outcome what became of it
 * @param length bytes delivered
 * @param digest SHA-256 in hexadecimal of what was delivered; may be empty for the other outcomes
 * @param path where it lies at the subscriber, relative to the subscription's directory; empty unless delivered or kept
 * @param atMillis the subscriber's clock at that moment, milliseconds since the epoch
 * @param reason why, for the outcomes that need one; empty otherwise
 */
public record Receipt(
        TransferId transfer,
        String topic,
        String subscription,
        String agent,
        Outcome outcome,
        long length,
        String digest,
        String path,
        long atMillis,
        String reason)
        implements Frame {

    /** What became of a transfer at one subscription. */
    public enum Outcome {
        /** It lies in place, verified and synced. */
        DELIVERED,
        /** A file of that name existed and the policy was to keep it. */
        KEPT,
        /** A later transfer of the same name was delivered first. */
        SUPERSEDED,
        /** It was refused or could not be verified; the reason says why. */
        FAILED
    }

    public Receipt {
        Names.topic(topic);
        Names.subscription(subscription);
        Names.agent(agent);
        Limits.range("length", length, 0, Limits.MAX_LENGTH);
        if (!digest.isEmpty() || outcome == Outcome.DELIVERED) {
            Digests.checkHex(digest);
        }
        if (!path.isEmpty() || outcome == Outcome.DELIVERED) {
            Names.path(path);
        }
        reason = Limits.reason(reason);
    }

    @Override
    public FrameType type() {
        return FrameType.RECEIPT;
    }
}
