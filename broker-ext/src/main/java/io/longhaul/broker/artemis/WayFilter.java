package io.longhaul.broker.artemis;

import java.util.Map;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.jspecify.annotations.Nullable;

/** Takes messages of other brokers by the neighbour that they came from and one more property; never those of the peer. */
interface WayFilter extends Filter {
    SimpleString FROM = SimpleString.of(FrameProperties.FROM);

    /** Returns whom the messages are for. */
    String peer();

    /** Returns the name of the other property. */
    SimpleString property();

    /** Returns whether a message of another broker is taken that has this in the other property, null for nothing. */
    boolean takes(@Nullable Object value);

    @Override
    default boolean match(Message message) {
        return isOthers(message.getObjectProperty(FROM)) && takes(message.getObjectProperty(property()));
    }

    @Override
    default boolean match(Filterable message) {
        return isOthers(message.getProperty(FROM)) && takes(message.getProperty(property()));
    }

    @Override
    default boolean match(Map<String, String> properties) {
        return isOthers(properties.get(FrameProperties.FROM))
                && takes(properties.get(property().toString()));
    }

    private boolean isOthers(@Nullable Object from) {
        return from != null && !from.toString().equals(peer());
    }

    /** Says less than the filter does: a selector has no sets, and does not compare parts of a text. */
    @Override
    default SimpleString getFilterString() {
        return SimpleString.of(FrameProperties.FROM + " <> '" + peer() + "'");
    }
}
