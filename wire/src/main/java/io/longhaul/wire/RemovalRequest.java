package io.longhaul.wire;

/**
 * An operator takes a neighbour of a broker out of the network for good.
 *
 * @param broker the neighbour
 * @param force whether what waits for it is given up
 * @param replyTo address that takes the {@link RemovalAnswer}
 */
public record RemovalRequest(String broker, boolean force, String replyTo) implements Frame {
    public RemovalRequest {
        Names.broker(broker);
        Addresses.checkAnswer(replyTo);
    }

    @Override
    public FrameType type() {
        return FrameType.REMOVAL_REQUEST;
    }
}
