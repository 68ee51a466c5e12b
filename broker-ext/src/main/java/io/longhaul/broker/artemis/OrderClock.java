package io.longhaul.broker.artemis;

import io.longhaul.broker.file.KeptFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers manifests in the order in which this broker took them; never goes back, whatever the clock or a crash does.
 *
 * <h2>Design</h2>
 * A number is the clock's milliseconds times 1024, or one more than the last when the clock does not suffice. Numbers
 * are handed out, and those of others noted, only below a bound that lies on disk, forced; the bound is moved ahead by
 * {@value #STRIDE_MILLIS} ms at a time, so that a write comes about once in that time. After a restart numbers start at
 * the bound or the clock, whichever is greater. The clock is in it so that a broker whose data directory was lost does
 * not start over below the numbers that subscribers remember.
 *
 * <pre>
 *  file "order", big-endian
 *  0       8        12
 * +-------+---------+
 * | bound | CRC-32C |
 * +-------+---------+
 * </pre>
 *
 * Thread-safe.
 */
final class OrderClock {
    private static final Logger LOG = LoggerFactory.getLogger(OrderClock.class);
    private static final String FILE = "order";
    private static final int BYTES = 12;
    private static final long PER_MILLI = 1024;
    static final long STRIDE_MILLIS = 60_000;
    private static final long TOLD_AHEAD_MILLIS = Duration.ofHours(1).toMillis();

    /** Twice what a clock may be wrong by; nor does who lies get the others farther ahead of theirs. */
    private static final long MOST_AHEAD_MILLIS = Duration.ofDays(2).toMillis();

    private final Path directory;
    private final Clock clock;
    private final Copy copy;
    private long last; // guarded by this
    private long bound; // guarded by this; what lies on disk
    private long greatest; // guarded by this; of numbers that a manifest has, as far as this process knows

    /** How far ahead somebody's clock must be to be told of; guarded by this. */
    private long tellFromMillis = TOLD_AHEAD_MILLIS;

    /** Where each bound is written, too, before it counts: for another broker that may take this one's place. */
    interface Copy {
        void write(long bound) throws Exception;
    }

    private OrderClock(Path directory, Clock clock, Copy copy, long bound) {
        this.directory = directory;
        this.clock = clock;
        this.copy = copy;
        this.bound = bound;
        this.last = bound;
    }

    /** Reads the bound that a predecessor left; a missing or damaged one counts as none, and is told. */
    static OrderClock open(Path directory, Clock clock) throws IOException {
        return open(directory, clock, bound -> {});
    }

    /** The same, of a broker that another one may succeed. */
    static OrderClock open(Path directory, Clock clock, Copy copy) throws IOException {
        Path file = directory.resolve(FILE);
        long bound = 0;
        if (Files.exists(file)) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            if (bytes.limit() == BYTES && bytes.getInt(Long.BYTES) == crc(bytes)) {
                bound = bytes.getLong(0);
            } else {
                LOG.warn(
                        "{}: expected {} bytes with their checksum, found others; manifests are ordered by the clock "
                                + "from now on",
                        file,
                        BYTES);
            }
        }
        return new OrderClock(directory, clock, copy, bound);
    }

    /** Returns a number greater than every one returned before, in this process or an earlier one. */
    synchronized long next() {
        long next = Math.max(last + 1, clock.millis() * PER_MILLI);
        bind(next);
        last = next;
        greatest = next;
        return next;
    }

    /** Sees to it that numbers begin above this one after a restart. */
    private void bind(long number) {
        if (number >= bound) {
            long farther = number + STRIDE_MILLIS * PER_MILLI;
            try {
                write(farther);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + directory.resolve(FILE), e);
            }
            try {
                copy.write(farther);
            } catch (Exception e) {
                throw new IllegalStateException("cannot copy what " + directory.resolve(FILE) + " says", e);
            }
            bound = farther;
        }
    }

    /**
     * Takes note of a number that another broker of the network gave, so that the next one given here is greater: what is
     * published by somebody who has seen an earlier file wins over it, whatever the clocks say (Lamport 1978), also after a
     * restart. A number far ahead of the clock is not believed.
     */
    synchronized void observe(long order) {
        long aheadMillis = order / PER_MILLI - clock.millis();
        boolean believed = aheadMillis <= MOST_AHEAD_MILLIS;
        if (believed) {
            greatest = Math.max(greatest, order);
            bind(order);
            last = Math.max(last, order);
        }
        if (aheadMillis > tellFromMillis) {
            tellFromMillis = believed ? MOST_AHEAD_MILLIS : Long.MAX_VALUE;
            LOG.warn(
                    "a file was published by a clock {} s ahead of this one, expected at most {} s{}; set the clocks",
                    aheadMillis / 1000,
                    TOLD_AHEAD_MILLIS / 1000,
                    believed ? "" : ": what is published here after it may lose against it");
        }
    }

    /**
     * Goes ahead of another broker that gave numbers by a clock of its own: of the bound that it wrote last, and of a clock that is
     * a while ahead of this one, since an older broker writes none.
     */
    synchronized void succeed(long theirs) {
        last = Math.max(last, Math.max(theirs, (clock.millis() + STRIDE_MILLIS) * PER_MILLI));
        bind(last);
    }

    /**
     * Returns the greatest number that was given, or noted, since this was opened; 0 for none. What is told is not the bound:
     * with each restart of any broker all would go a minute farther ahead of their clocks.
     */
    synchronized long greatest() {
        return greatest;
    }

    private void write(long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(0, value).putInt(Long.BYTES, crc(bytes));
        KeptFile.write(directory.resolve(FILE), bytes.array());
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, Long.BYTES);
        return (int) crc.getValue();
    }
}
