package io.longhaul.agent.link;

import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An agent's link to a {@link MemoryNetwork}, with the weather that a test asks for.
 *
 * <p>Listeners are called in the thread that causes the outcome: the offering one in fair weather, the test's otherwise.
 */
public final class MemoryLink implements Link {

    /** What becomes of frames that are offered. */
    public enum Weather {
        /** Stored and acknowledged at once. */
        FAIR,
        /** Stored, but the acknowledgement stays away. */
        UNACKNOWLEDGED,
        /** On the way for ever: neither stored nor acknowledged. */
        STALLED,
        /** As stalled, and questions to the broker get no answer before the weather changes. */
        MUTE,
        /** No connection; what is in flight is sent again when it is back. */
        DOWN
    }

    private static final class Offered {
        final String address;
        final Frame frame;
        final String deduplication;
        final OfferListener listener;
        boolean sent;
        boolean stored;
        boolean resent;

        @Nullable
        LinkException refusal;

        Offered(String address, Frame frame, String deduplication, OfferListener listener) {
            this.address = address;
            this.frame = frame;
            this.deduplication = deduplication;
            this.listener = listener;
        }

        int bytes() {
            return frame instanceof Piece piece ? piece.body().remaining() : 0;
        }
    }

    private final MemoryNetwork network;
    private final String agent;
    private final int windowBytes;
    private final LinkListener listener;
    private final Deque<Offered> inFlight = new ArrayDeque<>();
    private final List<MemoryInflow> inflows = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private Weather weather = Weather.FAIR;
    private boolean closed;
    private int bytesInFlight;
    private int asking;
    private int asked;
    private int waits;

    MemoryLink(MemoryNetwork network, String agent, int windowBytes, LinkListener listener) {
        this.network = network;
        this.agent = agent;
        this.windowBytes = windowBytes;
        this.listener = listener;
    }

    /** Changes the weather, with all that follows from it for what is in flight. */
    public void weather(Weather next) {
        Weather before;
        synchronized (network) {
            before = weather;
            weather = next;
            if (next == Weather.DOWN) {
                inflows.forEach(MemoryInflow::rollBack);
            }
            for (Offered offered : inFlight) {
                offered.resent = before == Weather.DOWN && next != Weather.DOWN && offered.sent;
                offered.stored &= !offered.resent;
            }
            network.notifyAll();
        }
        if (before != Weather.DOWN && next == Weather.DOWN) {
            listener.disconnected("the test cut the link");
        }
        if (before == Weather.DOWN && next != Weather.DOWN) {
            listener.reconnected();
        }
        transmit();
        if (next == Weather.FAIR) {
            acknowledge(Integer.MAX_VALUE);
        }
    }

    /** Acknowledges the oldest frames in flight that are stored, so many at most; returns how many it were. */
    public int acknowledge(int most) {
        for (int i = 0; i < most; i++) {
            Offered first;
            synchronized (network) {
                first = inFlight.peekFirst();
                if (first == null || !first.stored && first.refusal == null) {
                    return i;
                }
                inFlight.removeFirst();
                bytesInFlight -= first.bytes();
                network.notifyAll();
            }
            end(first);
        }
        return most;
    }

    /** Returns how many frames have no outcome. */
    public int inFlight() {
        synchronized (network) {
            return inFlight.size();
        }
    }

    /** Returns how often somebody was ready to wait for a connection. */
    public int waits() {
        synchronized (network) {
            return waits;
        }
    }

    /** Returns how many have asked the broker so far. */
    public int asked() {
        synchronized (network) {
            return asked;
        }
    }

    /** Returns how many wait for an answer of the broker. */
    public int asking() {
        synchronized (network) {
            return asking;
        }
    }

    /** Returns every frame offered so far, in order; bodies may have been used again since. */
    public List<Frame> offered() {
        synchronized (network) {
            return List.copyOf(frames);
        }
    }

    /** Returns breaches of the seam's rules by its user: a body touched before its outcome. Empty is good. */
    public List<String> faults() {
        synchronized (network) {
            return List.copyOf(faults);
        }
    }

    /** Breaks off like a killed process: no outcome is told, what was in delivery goes back. */
    public void kill() {
        List<MemoryInflow> open;
        synchronized (network) {
            closed = true;
            inFlight.clear();
            open = List.copyOf(inflows);
            network.notifyAll();
        }
        open.forEach(MemoryInflow::close);
    }

    boolean isUp() {
        return !closed && weather != Weather.DOWN;
    }

    @Override
    public boolean awaitConnection(Duration patience) {
        synchronized (network) {
            waits += patience.isZero() ? 0 : 1;
            return isUp();
        }
    }

    @Override
    public TopicSubscriptions topic(String topic) {
        synchronized (network) {
            asked++;
            asking++;
            while (weather == Weather.MUTE && !closed) {
                try {
                    network.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("a test interrupted a question", e);
                }
            }
            asking--;
        }
        if (!isUp()) {
            throw new LinkException(LinkException.Code.UNREACHABLE, "the test cut the link");
        }
        return network.topic(topic);
    }

    @Override
    public void offer(String address, Frame frame, String deduplication, int priority, OfferListener outcome)
            throws InterruptedException {
        Offered offered = new Offered(address, frame, deduplication, outcome);
        boolean refused;
        synchronized (network) {
            while (!closed && !inFlight.isEmpty() && bytesInFlight + offered.bytes() > windowBytes) {
                network.wait();
            }
            refused = closed;
            if (!refused) {
                frames.add(frame);
                inFlight.addLast(offered);
                bytesInFlight += offered.bytes();
            }
        }
        if (refused) {
            outcome.refused(new LinkException(LinkException.Code.CLOSED, "the link is closed"));
            return;
        }
        transmit();
        synchronized (network) {
            refused = weather == Weather.FAIR;
        }
        if (refused) {
            acknowledge(Integer.MAX_VALUE);
        }
    }

    /** Offers a frame that the network must take: a refusal is thrown. */
    public void offer(String address, Frame frame) throws InterruptedException {
        offer(address, frame, "", OfferListener.whenRefused(reason -> {
            throw reason;
        }));
    }

    /** Sends what the weather lets through. */
    private void transmit() {
        synchronized (network) {
            for (Offered offered : inFlight) {
                if (offered.resent && weather != Weather.DOWN) {
                    offered.resent = false;
                    // before another thread can acknowledge it: what is told after its outcome is not counted
                    offered.listener.resent();
                }
                offered.sent |= weather != Weather.DOWN;
                if (!offered.stored
                        && offered.refusal == null
                        && (weather == Weather.FAIR || weather == Weather.UNACKNOWLEDGED)) {
                    store(offered);
                }
            }
        }
    }

    private void store(Offered offered) {
        if (offered.frame instanceof Piece piece && !isIntact(piece)) {
            faults.add("piece " + piece.header().index() + " was touched before its outcome");
        }
        try {
            network.accept(offered.address, offered.frame, offered.deduplication);
            offered.stored = true;
        } catch (LinkException e) {
            offered.refusal = e;
        }
    }

    private void end(Offered offered) {
        if (offered.frame instanceof Piece piece && !isIntact(piece)) {
            synchronized (network) {
                faults.add("piece " + piece.header().index() + " was touched before its outcome");
            }
        }
        LinkException refusal = offered.refusal;
        if (refusal == null) {
            offered.listener.safe();
        } else {
            offered.listener.refused(refusal);
        }
    }

    private static boolean isIntact(Piece piece) {
        if (piece.header().kind() == PieceHeader.Kind.HOLE) {
            return true;
        }
        CRC32C crc = new CRC32C();
        crc.update(piece.body().duplicate());
        return (int) crc.getValue() == piece.header().crc32c();
    }

    @Override
    public boolean drain(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (network) {
            long left = timeout.toMillis();
            while (!inFlight.isEmpty() && left > 0) {
                network.wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
            return inFlight.isEmpty();
        }
    }

    @Override
    public Inflow subscribe(String topic, String subscription, String owner) {
        return open(Addresses.subscriptionQueue(topic, subscription), Addresses.topic(topic), owner);
    }

    @Override
    public Inflow inbox(String inboxAgent, String owner) {
        return open(Addresses.inbox(inboxAgent), Addresses.inbox(inboxAgent), owner);
    }

    @Override
    public Inflow endpoint(String name, String owner) {
        return open(Addresses.endpoint(name), Addresses.endpoint(name), owner);
    }

    @Override
    public Inflow receipts(String topic, String waiter) {
        return open(Addresses.receiptsQueue(topic, waiter), Addresses.receipts(topic), agent);
    }

    @Override
    public void requireReceipts(String topic) {}

    @Override
    public Inflow holders(String topic, String holder) {
        return open(Addresses.holdersQueue(topic, holder), Addresses.holders(topic), agent);
    }

    private Inflow open(String queue, String address, String owner) {
        synchronized (network) {
            MemoryInflow inflow = MemoryInflow.open(network, this, network.queue(queue, address), queue, owner);
            inflows.add(inflow);
            return inflow;
        }
    }

    @Override
    public void forgetReceipts(String topic, String waiter) {
        network.remove(Addresses.receiptsQueue(topic, waiter));
    }

    @Override
    public void unsubscribe(String topic, String subscription) {
        network.remove(Addresses.subscriptionQueue(topic, subscription));
    }

    @Override
    public void forgetInbox(String inboxAgent) {
        network.remove(Addresses.inbox(inboxAgent));
    }

    @Override
    public void close() {
        List<Offered> left;
        List<MemoryInflow> open;
        synchronized (network) {
            closed = true;
            left = List.copyOf(inFlight);
            inFlight.clear();
            open = List.copyOf(inflows);
            network.notifyAll();
        }
        open.forEach(MemoryInflow::close);
        left.forEach(offered ->
                offered.listener.refused(new LinkException(LinkException.Code.CLOSED, "the link is closed")));
    }
}
