package io.longhaul.broker.artemis;

import io.longhaul.wire.FrameCodec;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages that have passed a broker other than those that are near, and did not come from the peer itself.
 *
 * @param peer whom the messages are for
 * @param near brokers that a message may have passed without being taken
 */
record PassedFilter(String peer, Set<String> near) implements Filter {
    private static final SimpleString FROM = SimpleString.of(FrameProperties.FROM);
    private static final SimpleString VIA = SimpleString.of(FrameCodec.VIA);

    @Override
    public boolean match(Message message) {
        return takes(message.getObjectProperty(FROM), message.getObjectProperty(VIA));
    }

    @Override
    public boolean match(Filterable message) {
        return takes(message.getProperty(FROM), message.getProperty(VIA));
    }

    @Override
    public boolean match(Map<String, String> properties) {
        return takes(properties.get(FrameProperties.FROM), properties.get(FrameCodec.VIA));
    }

    private boolean takes(@Nullable Object from, @Nullable Object via) {
        return from != null
                && via != null
                && !from.toString().equals(peer)
                && !Stream.of(via.toString().split("/")).allMatch(near::contains);
    }

    /** Says less than the filter does: a selector has no sets. */
    @Override
    public SimpleString getFilterString() {
        return SimpleString.of(FrameProperties.FROM + " <> '" + peer + "'");
    }
}
