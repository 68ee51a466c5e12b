package io.longhaul.broker.limits;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What one user, or the topics of one pattern, have used of their limit. Thread-safe. */
final class Quota {
    /** A transfer of which nothing has come for so long does not count: its publisher may never come back. */
    static final long IDLE_NS = TimeUnit.MINUTES.toNanos(10);

    /** More than the windows of many agents that wait for their answers; only who does not wait gets there. */
    static final long MOST_BYTES_AHEAD = 256L * 1024 * 1024;

    private static final long MOST_PIECES_AHEAD = 100_000;

    private final String whose;
    private final Limit limit;
    private final @Nullable TokenBucket bytes; // guarded by this
    private final @Nullable TokenBucket pieces; // guarded by this
    private final Map<String, Long> open =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by this; last frame, oldest first
    private long delayed; // guarded by this
    private long refused; // guarded by this

    /** Takes whose it is, in words that a sentence may begin with. */
    Quota(String whose, Limit limit, long nowNs) {
        this.whose = whose;
        this.limit = limit;
        this.bytes = limit.rate() == 0 ? null : new TokenBucket(limit.rate(), nowNs);
        this.pieces = limit.pieces() == 0 ? null : new TokenBucket(limit.pieces(), nowNs);
    }

    String whose() {
        return whose;
    }

    Limit limit() {
        return limit;
    }

    /** Notes a piece; returns for how many nanoseconds its answer is to wait. */
    synchronized long piece(String transfer, long size, long nowNs) {
        touch(transfer, nowNs);
        long delayNs = use(size, 1, nowNs);
        delayed += delayNs > 0 ? 1 : 0;
        return delayNs;
    }

    /** Notes what came over a link; the transfers are counted where they were published. */
    synchronized void carried(long size, long nowNs) {
        use(size, 1, nowNs);
    }

    /** Something that came over a link has to wait. */
    synchronized void delay() {
        delayed++;
    }

    private long use(long size, long count, long nowNs) {
        return Math.max(bytes == null ? 0 : bytes.take(size, nowNs), pieces == null ? 0 : pieces.take(count, nowNs));
    }

    /** Returns for how many nanoseconds nothing more should be taken. */
    synchronized long pauseNs(long nowNs) {
        return use(0, 0, nowNs);
    }

    /** Returns why not even a piece whose answer waits can be taken. */
    synchronized Optional<String> flood(long nowNs) {
        boolean over = bytes != null && bytes.debt(nowNs) > MOST_BYTES_AHEAD
                || pieces != null && pieces.debt(nowNs) > MOST_PIECES_AHEAD;
        return over
                ? Optional.of(whose + " sends faster than its limit and does not wait for answers")
                : Optional.empty();
    }

    /** Returns why another transfer may not begin; a manifest that comes again is no other transfer. */
    synchronized Optional<String> objection(String transfer, long backlogBytes, long nowNs) {
        expire(nowNs);
        if (open.containsKey(transfer)) {
            return Optional.empty();
        }
        if (limit.transfers() > 0 && open.size() >= limit.transfers()) {
            refused++;
            return Optional.of(whose + " has " + open.size() + " transfers under way, expected at most "
                    + limit.transfers() + " with this one; it may begin when one of them has ended");
        }
        if (limit.backlog() > 0 && backlogBytes >= limit.backlog()) {
            refused++;
            return Optional.of(whose + " has " + backlogBytes + " bytes waiting at this broker, expected less than "
                    + limit.backlog() + " before another transfer; it may begin when subscriptions have taken some");
        }
        return Optional.empty();
    }

    /** Something of a transfer has come: it is under way. One that was there before a restart of the broker counts, too. */
    synchronized void touch(String transfer, long nowNs) {
        if (open.containsKey(transfer) || open.size() < Limit.MOST_TRANSFERS) {
            open.put(transfer, nowNs);
        }
    }

    synchronized void ended(String transfer) {
        open.remove(transfer);
    }

    private void expire(long nowNs) {
        Iterator<Long> oldest = open.values().iterator();
        while (oldest.hasNext() && nowNs - oldest.next() > IDLE_NS) {
            oldest.remove();
        }
    }

    synchronized QuotaFigures figures(long nowNs) {
        expire(nowNs);
        return new QuotaFigures(whose, delayed, refused, open.size());
    }
}
