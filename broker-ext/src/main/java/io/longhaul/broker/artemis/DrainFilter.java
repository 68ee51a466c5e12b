package io.longhaul.broker.artemis;

import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages of other brokers that entered the network before it was known that the queue runs dry.
 *
 * @param self this broker
 * @param peer whom the messages are for
 * @param number what the queue is known by
 */
record DrainFilter(String self, String peer, long number) implements Filter {
    private static final SimpleString FROM = SimpleString.of(FrameProperties.FROM);
    private static final SimpleString AFTER = SimpleString.of(FrameProperties.AFTER);

    @Override
    public boolean match(Message message) {
        return takes(message.getObjectProperty(FROM), message.getObjectProperty(AFTER));
    }

    @Override
    public boolean match(Filterable message) {
        return takes(message.getProperty(FROM), message.getProperty(AFTER));
    }

    @Override
    public boolean match(Map<String, String> properties) {
        return takes(properties.get(FrameProperties.FROM), properties.get(FrameProperties.AFTER));
    }

    private boolean takes(@Nullable Object from, @Nullable Object after) {
        return from != null
                && !from.toString().equals(peer)
                && (after == null || !Drains.include(after.toString(), self, number));
    }

    /** Says less than the filter does: a selector does not compare parts of a text. */
    @Override
    public SimpleString getFilterString() {
        return SimpleString.of(FrameProperties.FROM + " <> '" + peer + "'");
    }
}
