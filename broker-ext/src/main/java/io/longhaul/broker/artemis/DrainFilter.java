package io.longhaul.broker.artemis;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages of other brokers that entered the network before it was known that the queue runs dry.
 *
 * @param self this broker
 * @param peer whom the messages are for
 * @param number what the queue is known by
 */
record DrainFilter(String self, String peer, long number) implements WayFilter {
    private static final SimpleString AFTER = SimpleString.of(FrameProperties.AFTER);

    @Override
    public SimpleString property() {
        return AFTER;
    }

    @Override
    public boolean takes(@Nullable Object after) {
        return after == null || !Drains.include(after.toString(), self, number);
    }
}
