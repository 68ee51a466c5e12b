package io.longhaul.gridftp.content;

import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.thread.Guarded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All contents that are being pulled. What they have asked for and not yet written is bounded together, since it may have to
 * be kept in memory.
 *
 * <p>Everything happens on one thread, which waits for the post; blocks are written on the threads of the disk.
 */
public final class Mirrors {
    private static final Logger LOG = LoggerFactory.getLogger(Mirrors.class);
    private static final Duration TICK = Duration.ofMillis(500);

    private final PostOffice office;
    private final ScheduledExecutorService thread;
    private final Executor disk;
    private final LongSupplier nanoTime;
    private final Windows windows;
    private final Map<Number128, Mirror> mirrors = new LinkedHashMap<>(); // own thread only
    private final Map<String, Flow> flows = new ConcurrentHashMap<>(); // by holder; what is in one: own thread only
    private final EarlyBlocks early = new EarlyBlocks(); // own thread only
    private long inFlightBytes; // own thread only
    private boolean isFull; // own thread only

    /**
     * How much may be asked for and not be written yet.
     *
     * @param oneBytes for one content
     * @param allBytes for all of them together
     */
    public record Windows(long oneBytes, long allBytes) {
        /** 32 MiB and 128 MiB. */
        public static final Windows DEFAULT = new Windows(32L << 20, 128L << 20);
    }

    /**
     * Takes its own single thread, which the caller ends.
     *
     * @param disk where blocks are written
     */
    public Mirrors(
            PostOffice office, ScheduledExecutorService thread, Executor disk, LongSupplier nanoTime, Windows windows) {
        this.office = office;
        this.thread = thread;
        this.disk = disk;
        this.nanoTime = nanoTime;
        this.windows = windows;
        office.handTo(
                Set.of(MessageKind.HAVE, MessageKind.BLOCK, MessageKind.UNKNOWN),
                (from, message) -> execute(() -> received(from, message)));
        office.onReconnect(() -> execute(() -> each(Mirror::reconnected)));
        thread.scheduleWithFixedDelay(() -> execute(this::tick), TICK.toNanos(), TICK.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Begins to pull a content. Nothing comes before the mirror is told what is wanted.
     *
     * @param holder endpoint that has it
     */
    public Mirror open(Content content, String holder, Mirror.Listener listener) {
        Mirror mirror = new Mirror(this, content, holder, listener);
        content.pin();
        execute(() -> {
            Mirror before = mirrors.put(content.id(), mirror);
            if (before != null) {
                before.end();
            }
            mirror.begin(early.take(content.id(), holder));
        });
        return mirror;
    }

    private void tick() {
        early.forget(nanoTime());
        each(Mirror::tick);
    }

    private void received(String from, Message message) {
        if (message instanceof Message.Have have) {
            find(have.content(), from).ifPresent(mirror -> mirror.holderHas(have));
        } else if (message instanceof Message.Block block) {
            find(block.content(), from)
                    .ifPresentOrElse(mirror -> mirror.came(block), () -> early.add(from, block, nanoTime()));
        } else if (message instanceof Message.Unknown unknown) {
            find(unknown.content(), from).ifPresent(Mirror::unknown);
        }
    }

    /** Returns what has come from a holder; kept for ever, since there are few. */
    Flow flow(String holder) {
        return flows.computeIfAbsent(holder, name -> new Flow());
    }

    private Optional<Mirror> find(Number128 content, String from) {
        return Optional.ofNullable(mirrors.get(content))
                .filter(mirror -> mirror.holder().equals(from));
    }

    /** What goes wrong with one does not stop the others. */
    private void each(Consumer<Mirror> action) {
        for (Mirror mirror : all()) {
            try {
                action.accept(mirror);
            } catch (RuntimeException e) {
                LOG.error("content {}: unexpected failure", mirror.id(), e);
            }
        }
    }

    private List<Mirror> all() {
        return new ArrayList<>(mirrors.values());
    }

    void execute(Runnable action) {
        try {
            thread.execute(Guarded.by(LOG, action));
        } catch (RejectedExecutionException e) {
            LOG.debug("not done any more: ending");
        }
    }

    /** Does something where it may wait for the disk; returns whether it will be done. */
    boolean onDisk(Runnable action) {
        try {
            disk.execute(action);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("the threads of the disk have ended");
            return false;
        }
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Counts bytes that have come without being asked for. */
    void add(int bytes) {
        inFlightBytes += bytes;
    }

    /** Returns whether so many bytes more may be asked for, and counts them. */
    boolean take(Mirror mirror, int bytes) {
        boolean fits = mirror.inFlightBytes() + bytes <= windows.oneBytes();
        if (fits && inFlightBytes + bytes > windows.allBytes()) {
            isFull = true;
            return false;
        }
        inFlightBytes += fits ? bytes : 0;
        return fits;
    }

    /** Counts bytes that are not asked for any more. */
    void give(long bytes) {
        inFlightBytes -= bytes;
        if (isFull) {
            isFull = false;
            execute(() -> {
                // who comes first now comes last the next time
                List<Mirror> waiting = all();
                each(Mirror::pump);
                if (!waiting.isEmpty() && mirrors.remove(waiting.get(0).id(), waiting.get(0))) {
                    mirrors.put(waiting.get(0).id(), waiting.get(0));
                }
            });
        }
    }

    void forget(Mirror mirror) {
        mirrors.remove(mirror.id(), mirror);
    }

    boolean isKnown(Mirror mirror) {
        return mirrors.get(mirror.id()) == mirror;
    }

    void send(String to, Message message) {
        try {
            office.send(to, message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // as if it had been lost
            LOG.warn("message to endpoint {} not sent: {}", to, e.getMessage());
        }
    }
}
