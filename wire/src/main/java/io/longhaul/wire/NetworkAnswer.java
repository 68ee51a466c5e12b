package io.longhaul.wire;

import java.util.List;

/**
 * What a broker knows of the network.
 *
 * @param asked the broker that answers
 * @param brokers the last report of each broker that it has heard of lately, its own among them
 */
public record NetworkAnswer(String asked, List<BrokerReport> brokers) implements Frame {
    private static final int MOST_BROKERS = 1000;

    public NetworkAnswer {
        Names.broker(asked);
        Limits.range("brokers", brokers.size(), 1, MOST_BROKERS);
        brokers = List.copyOf(brokers);
    }

    @Override
    public FrameType type() {
        return FrameType.NETWORK_ANSWER;
    }
}
