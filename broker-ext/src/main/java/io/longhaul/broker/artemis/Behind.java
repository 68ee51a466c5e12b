package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The subscriptions that the queues of links stand for: what waits in one of them is owed to all of these. Thread-safe.
 */
final class Behind {
    private final Map<String, List<String>> names = new ConcurrentHashMap<>();

    /** Says which subscriptions on a topic are behind a neighbour. */
    void put(String peer, String topic, List<String> subscriptions) {
        names.put(Addresses.linkQueue(peer, Addresses.topic(topic)), List.copyOf(subscriptions));
    }

    /** Nothing is behind a neighbour any more. */
    void forget(String peer) {
        names.keySet().removeIf(queue -> queue.startsWith(Addresses.linkQueue(peer, "")));
    }

    /** Returns the subscriptions behind a link's queue; none while the neighbour has not said them since the launch. */
    List<String> subscriptions(String queue) {
        return names.getOrDefault(queue, List.of());
    }
}
