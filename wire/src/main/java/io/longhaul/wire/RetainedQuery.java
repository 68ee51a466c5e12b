package io.longhaul.wire;

/**
 * A subscription that is younger than its topic asks the archives of the topic for what they retain, a page at a time;
 * an answer goes to the inbox of {@code asker}.
 *
 * @param request number of the question, repeated in the answer; one that nobody can guess
 * @param sinceMillis what an archive first heard of before is not asked for, milliseconds since the epoch
 * @param afterOrder order of the last transfer of the page before; -1 for the first page
 * @param afterTransfer its identity; empty for the first page
 */
public record RetainedQuery(
        long request,
        String topic,
        String subscription,
        String asker,
        long sinceMillis,
        long afterOrder,
        String afterTransfer)
        implements Frame {
    public RetainedQuery {
        Names.topic(topic);
        Names.subscription(subscription);
        Names.agent(asker);
        Limits.range("since", sinceMillis, 0, Long.MAX_VALUE);
        Limits.range("after", afterOrder, -1, Long.MAX_VALUE);
        if (!afterTransfer.isEmpty()) {
            TransferId.parse(afterTransfer);
        }
    }

    @Override
    public FrameType type() {
        return FrameType.RETAINED_QUERY;
    }
}
