package io.longhaul.broker.artemis;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.activemq.artemis.core.server.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept for one neighbour: queues that are open, and those that nobody there wants any more, which run dry. Network's
 * thread only, unless a method says otherwise.
 */
final class OpenQueues {
    private static final Logger LOG = LoggerFactory.getLogger(OpenQueues.class);
    private static final long DRY_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LONG_DRY_NS = TimeUnit.MINUTES.toNanos(10);

    private final String self;
    private final String name;
    private final LinkQueues queues;
    private final LinkOutlet outlet;
    private final Map<String, Queue> open = new HashMap<>(); // by address
    private final Map<Queue, Drought> draining = new HashMap<>();
    private final Map<Queue, Long> numbers = new HashMap<>(); // of those that run dry, in Drains
    private final Set<String> covered = new HashSet<>(); // addresses of open queues whose messages go another way

    /**
     * Since when a queue has been dry, and since when no other broker could have fed it meanwhile, by nanoTime; 0 for not at
     * all.
     */
    private record Drought(long sinceNs, long unfedSinceNs) {
        static final Drought NONE = new Drought(0, 0);

        Drought at(long nowNs, boolean fed) {
            return new Drought(sinceNs == 0 ? nowNs : sinceNs, fed ? 0 : unfedSinceNs == 0 ? nowNs : unfedSinceNs);
        }

        boolean isOver(long nowNs) {
            return unfedSinceNs != 0 && nowNs - unfedSinceNs > DRY_NS || nowNs - sinceNs > LONG_DRY_NS;
        }
    }

    OpenQueues(String name, LinkQueues queues, LinkOutlet outlet) {
        this.self = outlet.self();
        this.name = name;
        this.queues = queues;
        this.outlet = outlet;
    }

    /** Finds the queues that are on disk; returns their addresses. */
    List<String> restore() throws Exception {
        List<String> addresses = queues.addresses();
        for (String address : addresses) {
            open(address);
        }
        outlet.add(queues.relay());
        outlet.add(queues.post());
        return addresses;
    }

    void open(String address) throws Exception {
        Queue queue = queues.open(address);
        draining.remove(queue);
        numbers.remove(queue);
        open.put(address, queue);
        outlet.add(queue);
    }

    /**
     * Nothing more goes in but what is on its way; what is in it still goes out.
     *
     * @param drain what it is known by in {@link Drains}
     */
    void close(String address, long drain) throws Exception {
        covered.remove(address);
        Queue queue = open.remove(address);
        if (queue != null) {
            queues.shut(queue, self, drain);
            draining.put(queue, Drought.NONE);
            numbers.put(queue, drain);
        }
    }

    /** Returns the greatest number of a queue that runs dry; 0 for none. */
    long drains() {
        return numbers.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /**
     * Removes the queues that have been dry for long: longer than a message may be on its way into one, and than another
     * broker may still send this way. What others have to send is not told by address, and may be of other topics and
     * without an end: after so long that what was owed here would have come, a dry queue goes in any case.
     *
     * @param feeding tells whether another broker has something that it might still send this way
     */
    void sweep(long nowNs, BooleanSupplier feeding) throws Exception {
        boolean fed = !draining.isEmpty() && feeding.getAsBoolean();
        for (Map.Entry<Queue, Drought> each : List.copyOf(draining.entrySet())) {
            Queue queue = each.getKey();
            boolean dry = queues.isDry(queue) && outlet.isIdle(queue);
            Drought drought = dry ? each.getValue().at(nowNs, fed) : Drought.NONE;
            if (dry && drought.isOver(nowNs)) {
                destroy(queue);
            } else {
                draining.put(queue, drought);
            }
        }
    }

    /** Removes a queue that nobody in the network wants, with what is in it. */
    void unwanted(String address) throws Exception {
        for (Queue queue : List.copyOf(draining.keySet())) {
            if (queue.getAddress().toString().equals(address)) {
                destroy(queue);
            }
        }
    }

    /**
     * What waits for who may not have it any more is not sent, and does not become more; it is there should that change
     * again.
     *
     * @param forbidden tells whether the neighbour may not have what an address takes
     */
    void hold(Predicate<String> forbidden) throws Exception {
        for (Queue queue : draining.keySet()) {
            if (forbidden.test(queue.getAddress().toString())) {
                outlet.hold(queue);
                queues.stop(queue);
                if (!queues.isDry(queue)) {
                    LOG.warn(
                            "link from {}: {} frames that wait in {} are not sent: its account may not have them any more",
                            name,
                            queue.getMessageCount(),
                            queue.getName());
                }
            } else {
                queues.shut(queue, self, numbers.getOrDefault(queue, Long.MAX_VALUE));
                outlet.add(queue);
            }
        }
    }

    private void destroy(Queue queue) throws Exception {
        draining.remove(queue);
        numbers.remove(queue);
        outlet.remove(queue);
        queues.destroy(queue);
    }

    /** Returns all queues that are kept for the neighbour. Any thread. */
    List<Queue> all() throws Exception {
        return queues.all();
    }

    /** Removes all queues with what is in them; the neighbour is away, and forgotten. Any thread. */
    void destroy() throws Exception {
        for (Queue queue : queues.all()) {
            outlet.remove(queue);
            queues.destroy(queue);
        }
    }

    /**
     * Queues whose messages reach everybody another way take no more of them.
     *
     * @param sides gives the brokers on this side of the way by which the messages of an address reach everybody; empty when
     *     they do not
     */
    void cover(Function<String, Optional<Set<String>>> sides) throws Exception {
        for (Map.Entry<String, Queue> each : open.entrySet()) {
            String address = each.getKey();
            Optional<Set<String>> near = sides.apply(address);
            if (near.isPresent()) {
                queues.cover(each.getValue(), near.get());
                covered.add(address);
            } else if (covered.remove(address)) {
                queues.open(address);
            }
        }
    }
}
