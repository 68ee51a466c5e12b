package io.longhaul.wire;

/** A subscriber asks all holders of a topic who can repair a transfer; offers go to the inbox of {@code asker}. */
public record RepairQuery(TransferId transfer, String topic, String subscription, String asker) implements Frame {
    public RepairQuery {
        Names.topic(topic);
        Names.subscription(subscription);
        Names.agent(asker);
    }

    @Override
    public FrameType type() {
        return FrameType.REPAIR_QUERY;
    }
}
