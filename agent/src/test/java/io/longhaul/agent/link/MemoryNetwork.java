package io.longhaul.agent.link;

import io.longhaul.wire.Addresses;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import io.longhaul.wire.OrderStamp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * A broker in memory for tests: queues, multicast, orders, deduplication, and the faults that a test asks for.
 *
 * <p>Has no threads and no clock: everything happens in the call that causes it. Guarded by its own monitor; listeners
 * are called outside of it. Frames pass through the real codec and their bodies are copied when they are sent.
 */
public final class MemoryNetwork {
    private final Map<String, MemoryQueue> queues = new TreeMap<>();
    private int refused;
    private final Map<String, LinkException> refusals = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private UnaryOperator<Envelope> tamper = UnaryOperator.identity();
    private String unknownBehind = "";
    private boolean deduplicating = true;
    private int copies = 1;
    private long lastOrder;
    private long dropped;

    /** Returns an agent's link that is up and acknowledges at once. */
    public MemoryLink connect(String agent, int windowBytes) {
        return connect(agent, windowBytes, new LinkListener() {});
    }

    public MemoryLink connect(String agent, int windowBytes, LinkListener listener) {
        return new MemoryLink(this, agent, windowBytes, listener);
    }

    /** Creates a durable subscription that nobody serves. */
    public synchronized void createSubscription(String topic, String subscription) {
        queue(Addresses.subscriptionQueue(topic, subscription), Addresses.topic(topic));
    }

    /** Returns the frames that wait in a queue or are in delivery, oldest first; none when there is no such queue. */
    public synchronized List<Frame> waiting(String queue) {
        MemoryQueue found = queues.get(queue);
        List<Frame> frames = new ArrayList<>();
        if (found != null) {
            found.envelopes().forEach(envelope -> frames.add(FrameCodec.decode(envelope)));
        }
        return frames;
    }

    /** Returns the frames that wait for a subscription. */
    public List<Frame> waiting(String topic, String subscription) {
        return waiting(Addresses.subscriptionQueue(topic, subscription));
    }

    /** Puts a message on an address as it is, past all rules: for hostile and broken ones. */
    public synchronized void inject(String address, Envelope envelope) {
        deliver(address, envelope);
        notifyAll();
    }

    /** From now on frames to the address are refused. */
    public synchronized void refuse(String address, LinkException reason) {
        refusals.put(address, reason);
    }

    /** Returns how many frames were refused so. */
    public synchronized int refused() {
        return refused;
    }

    /** Ends {@link #refuse}. */
    public synchronized void allow(String address) {
        refusals.remove(address);
    }

    /** From now on every message passes through the operator on its way to the queues. */
    public synchronized void tamper(UnaryOperator<Envelope> operator) {
        tamper = operator;
    }

    /** From now on every message is put in its queues so many times. */
    public synchronized void copies(int newCopies) {
        copies = newCopies;
    }

    /** Whether a frame that comes again with the same deduplication is dropped; true at first. */
    public synchronized void deduplicating(boolean newDeduplicating) {
        deduplicating = newDeduplicating;
    }

    /** Returns how many frames deduplication dropped. */
    public synchronized long dropped() {
        return dropped;
    }

    /** Removes the messages of a queue for which the frame's type is the one given, as a broker that drops a backlog. */
    public synchronized void drop(String queue, FrameType type) {
        queues.get(queue).drop(type);
    }

    /** From now on subscriptions may be missing among those that are known, for the reason given; empty for none. */
    public synchronized void unknownBehind(String reason) {
        unknownBehind = reason;
    }

    synchronized TopicSubscriptions topic(String topic) {
        Set<String> names = new TreeSet<>();
        queues.forEach((name, queue) -> {
            if (queue.address().equals(Addresses.topic(topic))) {
                names.add(Addresses.subscriptionOf(name));
            }
        });
        return new TopicSubscriptions(names, unknownBehind);
    }

    /** Takes a frame in; throws the refusal. The caller holds the monitor. */
    void accept(String address, Frame frame, String deduplication) {
        LinkException refusal = refusals.get(address);
        if (refusal != null) {
            refused++;
            throw refusal;
        }
        if (address.startsWith(Addresses.TOPIC_PREFIX) && !hasQueue(address)) {
            throw new LinkException(
                    LinkException.Code.NO_SUBSCRIPTION,
                    "nobody subscribes to topic " + address.substring(Addresses.TOPIC_PREFIX.length()));
        }
        if (!deduplication.isEmpty() && !seen.add(address + "#" + deduplication) && deduplicating) {
            dropped++;
            return;
        }
        if (address.startsWith(Addresses.INBOX_PREFIX) || address.equals(Addresses.BROKER)) {
            queue(address, address);
        }
        Envelope envelope = FrameCodec.encode(frame);
        if (frame.type() == FrameType.MANIFEST) {
            envelope.properties().put(OrderStamp.ORDER, ++lastOrder);
            envelope.properties().put(OrderStamp.CRC, OrderStamp.crc(lastOrder));
        }
        deliver(address, tamper.apply(new Envelope(envelope.properties(), copy(envelope.body()))));
        notifyAll();
    }

    private boolean hasQueue(String address) {
        return queues.values().stream().anyMatch(queue -> queue.address().equals(address));
    }

    private void deliver(String address, Envelope envelope) {
        for (MemoryQueue queue : queues.values()) {
            for (int i = 0; i < copies && queue.address().equals(address); i++) {
                queue.add(envelope);
            }
        }
    }

    /** Returns the queue, made when missing. The caller holds the monitor. */
    MemoryQueue queue(String name, String address) {
        return queues.computeIfAbsent(name, missing -> new MemoryQueue(address));
    }

    synchronized void remove(String queue) {
        queues.remove(queue);
        notifyAll();
    }

    private static ByteBuffer copy(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return ByteBuffer.wrap(bytes);
    }
}
