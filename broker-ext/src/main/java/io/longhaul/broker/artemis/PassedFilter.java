package io.longhaul.broker.artemis;

import io.longhaul.wire.FrameCodec;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages that have passed a broker other than those that are near, and did not come from the peer itself.
 *
 * @param peer whom the messages are for
 * @param near brokers that a message may have passed without being taken
 */
record PassedFilter(String peer, Set<String> near) implements WayFilter {
    private static final SimpleString VIA = SimpleString.of(FrameCodec.VIA);

    @Override
    public SimpleString property() {
        return VIA;
    }

    @Override
    public boolean takes(@Nullable Object via) {
        return via != null && !Stream.of(via.toString().split("/")).allMatch(near::contains);
    }
}
