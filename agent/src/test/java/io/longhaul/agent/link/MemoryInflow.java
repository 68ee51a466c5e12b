package io.longhaul.agent.link;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.OrderStamp;
import io.longhaul.wire.WireException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A session on a {@link MemoryQueue}; guarded by the network's monitor. */
final class MemoryInflow implements Inflow {
    private final MemoryNetwork network;
    private final MemoryLink link;
    private final MemoryQueue queue;
    private final String owner;
    private boolean closed;

    private MemoryInflow(MemoryNetwork network, MemoryLink link, MemoryQueue queue, String owner) {
        this.network = network;
        this.link = link;
        this.queue = queue;
        this.owner = owner;
    }

    /** Opens the queue, evicting an earlier session of the same owner. */
    static MemoryInflow open(MemoryNetwork network, MemoryLink link, MemoryQueue queue, String name, String owner) {
        synchronized (network) {
            MemoryInflow earlier = queue.consumer();
            if (earlier != null && !earlier.owner.equals(owner)) {
                throw new LinkException(LinkException.Code.NAME_IN_USE, name + " is held by owner " + earlier.owner);
            }
            if (earlier != null) {
                earlier.end();
            }
            MemoryInflow opened = new MemoryInflow(network, link, queue, owner);
            queue.consumer(opened);
            return opened;
        }
    }

    @Override
    public @Nullable Delivery poll(Duration timeout) throws InterruptedException {
        long remainingMillis = Math.max(0, timeout.toMillis());
        synchronized (network) {
            Envelope next = next();
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(remainingMillis);
            while (next == null && remainingMillis > 0 && !closed) {
                network.wait(remainingMillis);
                remainingMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                next = next();
            }
            return next == null ? null : delivery(next);
        }
    }

    private @Nullable Envelope next() {
        return closed || !link.isUp() ? null : queue.take();
    }

    private static Delivery delivery(Envelope envelope) {
        try {
            long order = OrderStamp.read(envelope.properties());
            Envelope copy = new Envelope(envelope.properties(), copy(envelope.body()));
            Frame frame = FrameCodec.decode(copy);
            return new Delivery(Optional.of(frame), "", Optional.empty(), order, envelope);
        } catch (WireException e) {
            Object transfer = envelope.properties().get(FrameCodec.TRANSFER);
            Optional<String> hint = transfer instanceof String id ? Optional.of(id) : Optional.empty();
            return new Delivery(
                    Optional.empty(), String.valueOf(e.getMessage()), hint, orderOfDamaged(envelope), envelope);
        }
    }

    private static long orderOfDamaged(Envelope envelope) {
        try {
            return OrderStamp.read(envelope.properties());
        } catch (WireException e) {
            return 0;
        }
    }

    private static ByteBuffer copy(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    @Override
    public void acknowledge(Delivery last) {
        synchronized (network) {
            if (!closed) {
                queue.acknowledge((Envelope) last.token());
            }
        }
    }

    @Override
    public long backlog() {
        synchronized (network) {
            return link.isUp() ? queue.size() : -1;
        }
    }

    /** What was not acknowledged goes back, as after an outage. The caller holds the monitor. */
    void rollBack() {
        if (!closed) {
            queue.rollBack();
        }
    }

    private void end() {
        rollBack();
        closed = true;
        if (queue.consumer() == this) {
            queue.consumer(null);
        }
        network.notifyAll();
    }

    @Override
    public void close() {
        synchronized (network) {
            if (!closed) {
                end();
            }
        }
    }
}
