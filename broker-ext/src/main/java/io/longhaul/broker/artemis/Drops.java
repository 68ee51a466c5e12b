package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was dropped of backlogs since the launch. That of a subscription is forgotten with its queue; that of a neighbour is the
 * sum over the queues of its link, and outlives them. Thread-safe.
 */
final class Drops {
    private final Map<String, Count> queues = new ConcurrentHashMap<>();
    private final Map<String, Count> peers = new ConcurrentHashMap<>();

    /** Pieces, and their bytes. */
    record Count(long pieces, long bytes) {
        static final Count NONE = new Count(0, 0);

        Count plus(Count other) {
            return new Count(pieces + other.pieces, bytes + other.bytes);
        }
    }

    void add(String queue, Count dropped) {
        if (queue.startsWith(Addresses.LINK_PREFIX)) {
            String peer = queue.substring(Addresses.LINK_PREFIX.length(), queue.indexOf('@'));
            peers.merge(peer, dropped, Count::plus);
        } else {
            queues.merge(queue, dropped, Count::plus);
        }
    }

    /** Forgets all queues but these. */
    void retain(Set<String> names) {
        queues.keySet().retainAll(names);
    }

    /** Returns what was dropped of a subscription's queue. */
    Count of(String queue) {
        return queues.getOrDefault(queue, Count.NONE);
    }

    /** Returns what was dropped before the link to a neighbour. */
    Count before(String peer) {
        return peers.getOrDefault(peer, Count.NONE);
    }
}
