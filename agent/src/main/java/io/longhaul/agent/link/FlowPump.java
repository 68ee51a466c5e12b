package io.longhaul.agent.link;

import io.longhaul.storage.StorageException;
import io.longhaul.wire.Frame;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes frames from a flow on a thread of its own, hands each to a handler, and acknowledges it afterwards.
 *
 * <p>Opens the flow on its thread and tries again while the network is away. A frame whose handler throws is logged and
 * acknowledged: it would fail again. One whose handler finds no space is kept, and handed over again until there is.
 */
public final class FlowPump implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlowPump.class);

    /** A wait in vain is a question to the broker; what comes, and an end of any kind, ends it at once. */
    private static final Duration POLL = Duration.ofSeconds(4);

    private static final long CLOSE_MILLIS = 5_000;
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int MOST_TRIES = 30; // after a failure of the disk that may pass

    private final String what;
    private final Supplier<Inflow> opener;
    private final Consumer<Frame> handler;
    private final Consumer<LinkException> onEnd;
    private final Pause pause;
    private final Thread thread;
    private volatile boolean closed;
    private boolean gaveUp; // the pump's thread only: a failure of the disk did not pass

    /** How the thread waits. */
    interface Pause {
        void sleep(Duration time) throws InterruptedException;
    }

    /**
     * Makes a pump.
     *
     * @param opener opens the flow; called again after {@link LinkException.Code#UNREACHABLE}
     * @param onEnd told when the flow cannot go on; not called for {@link #close}
     */
    public FlowPump(
            String what,
            Supplier<Inflow> opener,
            Consumer<Frame> handler,
            Consumer<LinkException> onEnd,
            ThreadFactory threads) {
        this(what, opener, handler, onEnd, threads, time -> Thread.sleep(time.toMillis()));
    }

    FlowPump(
            String what,
            Supplier<Inflow> opener,
            Consumer<Frame> handler,
            Consumer<LinkException> onEnd,
            ThreadFactory threads,
            Pause pause) {
        this.what = what;
        this.opener = opener;
        this.handler = handler;
        this.onEnd = onEnd;
        this.pause = pause;
        this.thread = threads.newThread(this::run);
    }

    /** Starts the thread. */
    public FlowPump start() {
        thread.start();
        return this;
    }

    /** Who is told of the end may open the flow again at once: by then this one is closed. */
    private void run() {
        LinkException reason = pumpUntilEnd();
        if (reason != null && !closed) {
            onEnd.accept(reason);
        }
    }

    /** Returns why no more frames come; null for an orderly end. */
    private @Nullable LinkException pumpUntilEnd() {
        Inflow flow = null;
        try {
            while (!closed) {
                if (flow == null) {
                    flow = openOrNull();
                } else {
                    pumpOne(flow);
                }
            }
            return null;
        } catch (LinkException e) {
            return e.code() == LinkException.Code.CLOSED ? null : e;
        } catch (InterruptedException e) {
            LOG.debug("{}: stopped", what);
            return null;
        } catch (RuntimeException | Error e) {
            // what nobody foresaw: whoever waits for these frames must learn that no more come
            return new LinkException(LinkException.Code.FAILED, what + ": ended by " + e, e);
        } finally {
            if (flow != null) {
                flow.close();
            }
        }
    }

    private @Nullable Inflow openOrNull() throws InterruptedException {
        try {
            return opener.get();
        } catch (LinkException e) {
            if (e.code() != LinkException.Code.UNREACHABLE) {
                throw e;
            }
            LOG.debug("{}: not reachable yet", what, e);
            if (Thread.interrupted()) {
                throw new InterruptedException(what);
            }
            return null;
        }
    }

    private void pumpOne(Inflow flow) throws InterruptedException {
        Delivery delivery = flow.poll(POLL);
        if (delivery == null) {
            return;
        }
        if (delivery.frame().isPresent()) {
            handle(delivery.frame().get());
        } else {
            LOG.warn("{}: damaged message dropped: {}", what, delivery.fault());
        }
        flow.acknowledge(delivery);
    }

    private void handle(Frame frame) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                handler.accept(frame);
                gaveUp = false;
                return;
            } catch (RuntimeException e) {
                boolean again = tries < mostTries(e);
                gaveUp |= !again && tries > 1;
                if (tries == 1 || !again) {
                    LOG.warn("{}: {} {}: {}", what, frame.type(), again ? "is tried again" : "failed", e.toString());
                    LOG.debug("{}: failure", what, e);
                }
                if (!again) {
                    return;
                }
            }
            pause.sleep(RETRY);
        }
    }

    /**
     * What the disk does not take now must not count as taken in, but nor may one message keep all others for ever, or each of
     * many of them for as long.
     */
    private int mostTries(Throwable failure) {
        Throwable cause = failure;
        while (cause != null) {
            if (cause instanceof StorageException known) {
                return switch (known.code()) {
                    case NO_SPACE, LOST -> Integer.MAX_VALUE;
                    case IO -> gaveUp ? 1 : MOST_TRIES;
                    case IN_USE, DAMAGED, VERSION, CLOSED -> 1;
                };
            }
            cause = cause.getCause();
        }
        return 1;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            if (Thread.currentThread() != thread) {
                thread.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
