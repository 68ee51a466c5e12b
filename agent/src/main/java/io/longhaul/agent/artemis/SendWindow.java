package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was offered and not acknowledged, in order, bounded in bytes: the one truth of what to send again.
 *
 * <p>Thread-safe; listeners are called without the lock.
 */
final class SendWindow {

    /** The current connection's way out. Must not block. */
    interface Wire {
        void send(Offer offer);
    }

    private static final int SHARE_BEYOND = 8;

    private final long capacityBytes;
    private final LongSupplier nanoTime;
    private final TreeMap<Long, Offer> inFlight = new TreeMap<>(); // guarded by this
    private long usedBytes; // guarded by this
    private long nextSequence; // guarded by this
    private boolean closed; // guarded by this
    private boolean paused; // guarded by this
    private @Nullable Wire wire; // guarded by this

    SendWindow(long capacityBytes, LongSupplier nanoTime) {
        this.capacityBytes = capacityBytes;
        this.nanoTime = nanoTime;
    }

    /**
     * Takes a frame in, waiting for room; one that is larger than the window goes alone. Urgent ones and words have a little
     * room beyond the rest, so that a request does not wait for all the bytes before it. Words go also while paused: what
     * brings a broker off its disk's floor, as a grant, must not wait for bytes that it does not take there.
     */
    synchronized void put(LongFunction<Offer> make) throws InterruptedException {
        Offer offer = make.apply(nextSequence++);
        while (usedBytes > 0 && usedBytes + offer.bytes() > capacity(offer) && !closed) {
            wait();
        }
        if (closed) {
            throw new LinkException(LinkException.Code.CLOSED, "link is closed");
        }
        inFlight.put(offer.sequence, offer);
        usedBytes += offer.bytes();
        if (wire != null && (!paused || offer.isWord())) {
            offer.sent = true;
            wire.send(offer);
        }
    }

    private long capacity(Offer offer) {
        return offer.isUrgent() || offer.isWord() ? capacityBytes + capacityBytes / SHARE_BEYOND : capacityBytes;
    }

    /** Returns true to the one caller that may tell the offer's listener; it calls {@link #settle} afterwards. */
    synchronized boolean decide(Offer offer) {
        boolean first = !offer.decided && inFlight.containsKey(offer.sequence);
        offer.decided = true;
        return first;
    }

    /** Removes an offer whose listener knows the outcome. */
    synchronized void settle(Offer offer) {
        if (inFlight.remove(offer.sequence) != null) {
            usedBytes -= offer.bytes();
            notifyAll();
        }
    }

    /** The connection is gone: nothing is sent until {@link #connected}. */
    synchronized void disconnected() {
        wire = null;
    }

    /**
     * A connection is there: everything in the window is sent on it, in order.
     *
     * @param alive whether it has not failed: else {@link #disconnected}, or the next one's wire, may have come before this
     */
    void connected(Wire newWire, BooleanSupplier alive) {
        List<Offer> again = new ArrayList<>();
        synchronized (this) {
            if (!alive.getAsBoolean()) {
                return;
            }
            wire = newWire;
            paused = false;
            sendAll(again);
        }
        again.forEach(offer -> offer.listener.resent());
    }

    /** The broker refuses for now; returns whether that is news. */
    synchronized boolean pause() {
        boolean news = !paused;
        paused = true;
        return news;
    }

    /**
     * Sends the oldest offer as a probe while paused, a word only if there is nothing else; its outcome calls {@link #resume}
     * or {@link #pause}.
     */
    synchronized void probe() {
        Wire out = wire;
        if (paused && out != null) {
            undecided().min(Comparator.comparing(Offer::isWord)).ifPresent(out::send);
        }
    }

    /** Those whose bytes are not yet somebody else's, oldest first. Guarded by this. */
    private Stream<Offer> undecided() {
        return inFlight.values().stream().filter(offer -> !offer.decided);
    }

    /**
     * The broker takes frames again, as the outcome of one shows: all that wait are sent; returns whether that is news. That
     * it takes a word says nothing of the others.
     */
    boolean resume(Offer known) {
        List<Offer> again = new ArrayList<>();
        synchronized (this) {
            if (!paused || known.isWord() && !undecided().allMatch(Offer::isWord)) {
                return false;
            }
            paused = false;
            sendAll(again);
        }
        again.forEach(offer -> offer.listener.resent());
        return true;
    }

    private void sendAll(List<Offer> again) {
        Wire out = wire;
        Iterator<Offer> offers = inFlight.values().iterator();
        while (out != null && offers.hasNext()) {
            Offer offer = offers.next();
            if (offer.decided) {
                continue;
            }
            if (offer.sent) {
                again.add(offer);
            }
            offer.sent = true;
            out.send(offer);
        }
    }

    synchronized boolean isPaused() {
        return paused;
    }

    /** Waits until the window is empty; returns false when the time is over first. */
    synchronized boolean drain(Duration timeout) throws InterruptedException {
        long deadlineNs = nanoTime.getAsLong() + timeout.toNanos();
        while (!inFlight.isEmpty() && !closed) {
            long leftMillis = (deadlineNs - nanoTime.getAsLong()) / 1_000_000;
            if (leftMillis <= 0) {
                return false;
            }
            wait(leftMillis);
        }
        return inFlight.isEmpty();
    }

    /** Ends everything: waiters leave, offers without outcome are returned. */
    synchronized List<Offer> close() {
        closed = true;
        wire = null;
        List<Offer> left =
                inFlight.values().stream().filter(offer -> !offer.decided).toList();
        left.forEach(offer -> offer.decided = true);
        inFlight.clear();
        usedBytes = 0;
        notifyAll();
        return left;
    }
}
