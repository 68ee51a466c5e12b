package io.longhaul.wire;

/**
 * Somebody asks a broker what it knows of the network.
 *
 * @param replyTo address that takes the {@link NetworkAnswer}
 */
public record NetworkQuery(String replyTo) implements Frame {
    public NetworkQuery {
        Addresses.checkAnswer(replyTo);
    }

    @Override
    public FrameType type() {
        return FrameType.NETWORK_QUERY;
    }
}
