package io.longhaul.wire;

import java.util.List;

/**
 * An archive's answer to a {@link RetainedQuery}: a page of the transfers that it retains, in the order of the topic.
 *
 * @param request number of the question
 * @param holder the archive's agent name, whose inbox takes repair requests
 * @param transfers at most {@link #MOST_TRANSFERS}
 * @param more whether there are others behind these
 * @param unfinished whether the archive does not yet have all of some transfers, which are in no page
 */
public record RetainedAnswer(
        long request,
        String topic,
        String subscription,
        String holder,
        List<Retained> transfers,
        boolean more,
        boolean unfinished)
        implements Frame {
    /** Most transfers in an answer: their manifests and seals fit a message, however long their names are. */
    public static final int MOST_TRANSFERS = 64;

    public RetainedAnswer {
        Names.topic(topic);
        Names.subscription(subscription);
        Names.agent(holder);
        Limits.range("transfers", transfers.size(), 0, MOST_TRANSFERS);
        transfers = List.copyOf(transfers);
    }

    /**
     * A transfer that an archive has whole.
     *
     * @param order the number that the topic's broker gave its manifest
     */
    public record Retained(long order, Manifest manifest, Seal seal) {
        public Retained {
            Limits.range("order", order, 0, Long.MAX_VALUE);
            if (!manifest.transfer().equals(seal.transfer())) {
                throw new WireException(
                        "seal: expected transfer " + manifest.transfer() + ", found " + seal.transfer());
            }
        }
    }

    @Override
    public FrameType type() {
        return FrameType.RETAINED_ANSWER;
    }
}
