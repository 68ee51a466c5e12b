package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The subscriptions that the queues of links stand for: what waits in one of them is owed to all of these. They are kept
 * beside the queues, so that a broker that is started anew, or takes over, knows them while a neighbour is away. Thread-safe.
 */
final class Behind {
    private final Map<String, List<String>> names = new ConcurrentHashMap<>(); // by queue

    /**
     * Says which subscriptions are behind a neighbour; durable when it returns, and so is what was done to its queues before.
     *
     * @param subscriptions all of them, by topic; empty when the name of one is not known
     */
    void put(LinkQueues queues, Map<String, List<String>> subscriptions) throws Exception {
        for (Map.Entry<String, List<String>> each : subscriptions.entrySet()) {
            String address = Addresses.topic(each.getKey());
            names.put(queues.name(address), List.copyOf(each.getValue()));
            queues.setBehind(address, each.getValue());
        }
        queues.settle();
    }

    /** Takes what was said of an address before the launch. */
    void restore(LinkQueues queues, String address) {
        names.put(queues.name(address), queues.behind(address));
    }

    /** Forgets what was said of queues that are not there any more. */
    void retain(Predicate<String> isThere) {
        // looked at and forgotten in one step: a queue of the same name may be opened at any time
        names.keySet().forEach(queue -> names.computeIfPresent(queue, (k, v) -> isThere.test(k) ? v : null));
    }

    /** Returns the subscriptions behind a link's queue; none while not all of them are known. */
    List<String> subscriptions(String queue) {
        return names.getOrDefault(queue, List.of());
    }
}
