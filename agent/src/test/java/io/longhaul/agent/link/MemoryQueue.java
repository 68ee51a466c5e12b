package io.longhaul.agent.link;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue of the {@link MemoryNetwork}, guarded by the network's monitor. */
final class MemoryQueue {
    private final String address;
    private final Deque<Envelope> ready = new ArrayDeque<>();
    private final Deque<Envelope> inDelivery = new ArrayDeque<>();
    private @Nullable MemoryInflow consumer;

    MemoryQueue(String address) {
        this.address = address;
    }

    String address() {
        return address;
    }

    void add(Envelope envelope) {
        ready.addLast(envelope);
    }

    @Nullable
    Envelope take() {
        Envelope next = ready.pollFirst();
        if (next != null) {
            inDelivery.addLast(next);
        }
        return next;
    }

    /** Removes what is in delivery up to the envelope given; returns whether it was in delivery. */
    boolean acknowledge(Envelope last) {
        boolean known = inDelivery.stream().anyMatch(envelope -> envelope == last);
        while (known && inDelivery.pollFirst() != last) {
            continue;
        }
        return known;
    }

    /** Puts what is in delivery back to the head. */
    void rollBack() {
        while (!inDelivery.isEmpty()) {
            ready.addFirst(inDelivery.removeLast());
        }
    }

    void drop(FrameType type) {
        ready.removeIf(envelope -> type.wireName().equals(envelope.properties().get(FrameCodec.TYPE)));
    }

    List<Envelope> envelopes() {
        List<Envelope> all = new ArrayList<>(inDelivery);
        all.addAll(ready);
        return all;
    }

    int size() {
        return ready.size() + inDelivery.size();
    }

    @Nullable
    MemoryInflow consumer() {
        return consumer;
    }

    void consumer(@Nullable MemoryInflow newConsumer) {
        consumer = newConsumer;
    }
}
