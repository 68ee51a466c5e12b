package io.longhaul.wire;

/**
 * A broker's answer to a {@link RemovalRequest}.
 *
 * @param asked the broker that answers
 * @param broker the neighbour that was to be removed
 * @param refusal why it was not, for a person; empty when it was
 * @param queues queues that were kept for it
 * @param frames durable frames that waited for it
 * @param bytes their bytes
 */
public record RemovalAnswer(String asked, String broker, String refusal, int queues, long frames, long bytes)
        implements Frame {
    public RemovalAnswer {
        Names.broker(asked);
        Names.broker(broker);
        refusal = Limits.reason(refusal);
        Limits.range("queues", queues, 0, Integer.MAX_VALUE);
        Limits.range("frames", frames, 0, Long.MAX_VALUE);
        Limits.range("bytes", bytes, 0, Long.MAX_VALUE);
    }

    @Override
    public FrameType type() {
        return FrameType.REMOVAL_ANSWER;
    }
}
