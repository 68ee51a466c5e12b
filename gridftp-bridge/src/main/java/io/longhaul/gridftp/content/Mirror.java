package io.longhaul.gridftp.content;

import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.MessageCodec;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A content whose bytes another endpoint holds: asks for what the holder has, somebody wants, and is not here.
 *
 * <h2>What is asked for again</h2>
 *
 * A range is late when it does not come within four times the smoothed round trip, and at least 3 s; twice as long after each time
 * that something did not come; at once when the post was cut off. It is asked for again when it is lost, as {@link Arrivals}
 * tells, or the holder has been started again and so forgotten what it was asked for.
 *
 * <p>Public methods return at once and may be called by any thread; all else is on the thread of {@link Mirrors}.
 */
public final class Mirror implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(4);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final int MOST_RANGES = 65_536;

    private final Mirrors mirrors;
    private final Content content;
    private final String holder;
    private final Listener listener;

    private ByteRanges have = new ByteRanges();
    private final ByteRanges wanted = new ByteRanges();
    private final ByteRanges asked = new ByteRanges(); // what is here counts too
    private final TreeMap<Long, Asked> inFlight = new TreeMap<>();
    private long inFlightBytes;
    private final Arrivals arrivals;
    private boolean isForgotten;
    private long pausedUntilNs;
    private boolean isPaused;
    private long knockedNs;
    private long heardNs;
    private volatile long aliveNs; // when anything came

    /** What has been asked for. */
    private static final class Asked {
        private final int length;
        private final long firstNs;
        private long lastNs;
        private boolean again;
        private boolean came;

        Asked(int length, long nowNs) {
            this.length = length;
            this.firstNs = nowNs;
            this.lastNs = nowNs;
        }
    }

    /** Hears how it goes, on the thread of {@link Mirrors}; must not block. */
    public interface Listener {
        /** The holder does not have the content, or not any more. */
        void unknown();

        /** Bytes could not be written; they are asked for again after a pause. */
        void failed(StorageException failure);
    }

    Mirror(Mirrors mirrors, Content content, String holder, Listener listener) {
        this.mirrors = mirrors;
        this.content = content;
        this.holder = holder;
        this.arrivals = new Arrivals(mirrors.flow(holder));
        this.listener = listener;
        this.heardNs = mirrors.nanoTime();
        this.aliveNs = heardNs;
    }

    Number128 id() {
        return content.id();
    }

    String holder() {
        return holder;
    }

    long inFlightBytes() {
        return inFlightBytes;
    }

    /**
     * Begins.
     *
     * @param early what has come of it already
     */
    void begin(Optional<Message.Block> early) {
        asked.addAll(content.covered());
        if (early.filter(this::accept).isEmpty()) {
            knock();
        }
    }

    /** Takes what came without being asked for; returns whether it is of use. */
    private boolean accept(Message.Block block) {
        ByteRange range = new ByteRange(block.offset(), block.offset() + block.length());
        if (range.isEmpty() || !asked.missing(range).equals(List.of(range))) {
            return false;
        }
        Asked pushed = new Asked(block.length(), mirrors.nanoTime());
        pushed.again = true; // its time tells nothing of the round trip
        asked.add(range.start(), range.end());
        inFlight.put(range.start(), pushed);
        inFlightBytes += block.length();
        mirrors.add(block.length());
        came(block);
        return true;
    }

    /** Makes the holder tell what it has. */
    private void knock() {
        knockedNs = mirrors.nanoTime();
        mirrors.send(holder, new Message.Pull(content.id(), 0, 0));
    }

    /** Pulls bytes of this range too, as soon as the holder has them. */
    public void want(ByteRange range) {
        mirrors.execute(() -> {
            wanted.add(range.start(), range.end());
            pump();
        });
    }

    /** Pulls what is not in the content any more, and believes the holder anew about what is there. */
    public void again() {
        mirrors.execute(() -> {
            have = new ByteRanges();
            asked.remove(0, Long.MAX_VALUE);
            asked.addAll(content.covered());
            inFlight.forEach((start, pulled) -> asked.add(start, start + pulled.length));
        });
    }

    /** Ends pulling; what has come by then is still written. */
    @Override
    public void close() {
        mirrors.execute(() -> {
            if (mirrors.isKnown(this)) {
                mirrors.forget(this);
                end();
            }
        });
    }

    void end() {
        List.copyOf(inFlight.values()).stream().filter(pulled -> !pulled.came).forEach(this::release);
        inFlight.values().removeIf(pulled -> !pulled.came);
        content.unpin();
    }

    private void release(Asked pulled) {
        inFlightBytes -= pulled.length;
        mirrors.give(pulled.length);
    }

    /** Returns how long the holder has neither told of the content nor sent any of it. */
    public long silentNs() {
        return mirrors.nanoTime() - aliveNs;
    }

    void holderHas(Message.Have message) {
        heardNs = mirrors.nanoTime();
        aliveNs = heardNs;
        arrivals.heard(heardNs);
        if (isForgotten) {
            isForgotten = false;
            askAgain(pulled -> true);
        }
        ByteRanges told = ByteRanges.of(message.ranges());
        if (message.isSealed() && told.total() == message.sealedLength()) {
            // all of it: what was told before may have been trimmed
            have = told;
            dropOutside(told);
        } else if (have.count() + told.count() <= MOST_RANGES) {
            have.addAll(told);
        } else {
            // it tells them part by part, and those that were forgotten come round again
            have = told;
        }
        pump();
    }

    /** What the holder will never send is not waited for. */
    private void dropOutside(ByteRanges told) {
        new TreeMap<>(inFlight).forEach((start, pulled) -> {
            if (!pulled.came && !told.contains(new ByteRange(start, start + pulled.length))) {
                inFlight.remove(start);
                asked.remove(start, start + pulled.length);
                release(pulled);
            }
        });
    }

    void unknown() {
        isForgotten = true;
        listener.unknown();
    }

    void came(Message.Block block) {
        aliveNs = mirrors.nanoTime();
        ByteRange range = new ByteRange(block.offset(), block.offset() + block.length());
        Asked pulled = inFlight.get(block.offset());
        if (pulled == null && accept(block)) {
            return;
        }
        if (pulled == null || pulled.came || pulled.length != block.length() || content.contains(range)) {
            // asked for twice, and come already
            return;
        }
        pulled.came = true;
        arrivals.came(mirrors.nanoTime(), pulled.firstNs, !pulled.again);
        try {
            if (!mirrors.onDisk(() -> write(block, range))) {
                inFlight.remove(block.offset());
                release(pulled);
            }
        } catch (RuntimeException | Error e) {
            written(range, Optional.of(notWritten(e)));
        }
    }

    private void write(Message.Block block, ByteRange range) {
        Optional<StorageException> failure = Optional.empty();
        try {
            if (block.isZero()) {
                content.write(block.offset(), ZeroBytes.of(block.length()));
            } else {
                content.writeAhead(block.offset(), block.bytes());
            }
            // who is killed now must not ask for it again
            content.record();
        } catch (RuntimeException | Error e) {
            // an Error too, as of memory: the window would never get its bytes back
            failure = Optional.of(notWritten(e));
        }
        Optional<StorageException> outcome = failure;
        mirrors.execute(() -> written(range, outcome));
    }

    private StorageException notWritten(Throwable failure) {
        return failure instanceof StorageException known
                ? known
                : new StorageException(
                        StorageException.Code.IO, "content " + id() + ": bytes not written: " + failure, failure);
    }

    private void written(ByteRange range, Optional<StorageException> failure) {
        Asked pulled = inFlight.remove(range.start());
        if (pulled != null) {
            release(pulled);
        }
        if (failure.isPresent()) {
            if (!content.contains(range)) {
                asked.remove(range.start(), range.end());
            }
            isPaused = true;
            pausedUntilNs = mirrors.nanoTime() + AFTER_FAILURE.toNanos();
            listener.failed(failure.get());
        }
        pump();
    }

    void tick() {
        long now = mirrors.nanoTime();
        askAgain(pulled -> arrivals.isOvertaken(pulled.lastNs));
        if (inFlight.values().stream().anyMatch(pulled -> isLate(pulled, now))) {
            switch (arrivals.late(now)) {
                case PROBE -> knock();
                case LOST -> {
                    askAgain(pulled -> isLate(pulled, now));
                    arrivals.askedAgain();
                }
                case WAIT -> {}
            }
        } else {
            arrivals.calm();
        }
        if (inFlight.isEmpty() && now - heardNs > SILENCE.toNanos() && now - knockedNs > SILENCE.toNanos()) {
            knock();
        }
        pump();
    }

    private boolean isLate(Asked pulled, long nowNs) {
        return !pulled.came && arrivals.isLate(nowNs, pulled.lastNs);
    }

    void reconnected() {
        arrivals.cut(mirrors.nanoTime());
        tick();
    }

    private void askAgain(Predicate<Asked> which) {
        long now = mirrors.nanoTime();
        inFlight.forEach((start, pulled) -> {
            if (!pulled.came && which.test(pulled)) {
                pulled.lastNs = now;
                pulled.again = true;
                mirrors.send(holder, new Message.Pull(content.id(), start, pulled.length));
            }
        });
    }

    /** Asks for as much as the window takes, from the beginning. */
    void pump() {
        if (!mirrors.isKnown(this) || isPaused && mirrors.nanoTime() < pausedUntilNs) {
            return;
        }
        isPaused = false;
        Optional<ByteRange> next = next();
        while (next.isPresent() && mirrors.take(this, (int) next.get().length())) {
            ByteRange range = next.get();
            int length = (int) range.length();
            asked.add(range.start(), range.end());
            inFlight.put(range.start(), new Asked(length, mirrors.nanoTime()));
            inFlightBytes += length;
            mirrors.send(holder, new Message.Pull(content.id(), range.start(), length));
            next = next();
        }
    }

    private Optional<ByteRange> next() {
        for (ByteRange there : have.list()) {
            for (ByteRange want : wanted.within(there)) {
                List<ByteRange> missing = asked.missing(want);
                if (!missing.isEmpty()) {
                    ByteRange first = missing.get(0);
                    long cell = first.start() - first.start() % MessageCodec.MAX_BLOCK_BYTES;
                    long length = Math.min(first.end() - cell, MessageCodec.MAX_BLOCK_BYTES);
                    return Optional.of(new ByteRange(first.start(), cell + length));
                }
            }
        }
        return Optional.empty();
    }
}
