package io.longhaul.wire;

import java.util.Optional;

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
 * @param proof place in the agent's chain and signature; empty from agents that do not sign
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
        String reason,
        Optional<ReceiptProof> proof)
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

    /** Returns the same receipt with a place in a chain and a signature. */
    public Receipt withProof(ReceiptProof given) {
        return new Receipt(
                transfer,
                topic,
                subscription,
                agent,
                outcome,
                length,
                digest,
                path,
                atMillis,
                reason,
                Optional.of(given));
    }

    @Override
    public FrameType type() {
        return FrameType.RECEIPT;
    }
}
