package io.longhaul.gridftp.content;

import io.longhaul.gridftp.content.SummedRanges.Summed;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.storage.StorageException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/**
 * Bytes of a file on their way, and a note of what they are for.
 *
 * <p>What is <em>covered</em> was written; what is <em>recorded</em> is still known when the process is killed; what was
 * <em>forced</em> survives a power loss too. Only what is recorded may be told to others: a content that forgot bytes
 * might get other ones in their place. Once covered, bytes do not change until they are trimmed; a holder's copy of them
 * would be another.
 *
 * <p>Thread-safe; methods that say so wait for the disk. Failures are {@link StorageException}s.
 */
public final class Content {
    private static final int COPY_BYTES = 1024 * 1024;

    private final Number128 id;
    private final ContentFile file;
    private final List<Runnable> growth = new CopyOnWriteArrayList<>();
    private final List<LongConsumer> served = new CopyOnWriteArrayList<>();
    private final SummedRanges covered = new SummedRanges(); // guarded by this
    private SummedRanges unrecorded = new SummedRanges(); // guarded by this
    private final ByteRanges recorded = new ByteRanges(); // guarded by this
    private Optional<Seal> seal = Optional.empty(); // guarded by this
    private String note = ""; // guarded by this
    private Instant noted = Instant.EPOCH; // guarded by this
    private boolean lossy; // guarded by this
    private final Object sidecarLock = new Object();
    private final Sidecar sidecar; // guarded by sidecarLock

    Content(Number128 id, ContentFile file, Sidecar sidecar) {
        this.id = id;
        this.file = file;
        this.sidecar = sidecar;
    }

    /** Reads back what an earlier process left. */
    Content(Number128 id, ContentFile file, Function<Sidecar.Reader, Sidecar> sidecar) {
        this.id = id;
        this.file = file;
        this.sidecar = sidecar.apply(new Recovery());
        covered.list().forEach(range -> recorded.add(range.start(), range.end()));
    }

    private final class Recovery implements Sidecar.Reader {
        @Override
        public void note(Instant time, String text) {
            noted = time;
            note = text;
        }

        @Override
        public void range(Summed range) {
            covered.add(range);
        }

        @Override
        public void sealed(Seal sealed) {
            seal = Optional.of(sealed);
        }

        @Override
        public void trimmed(long end) {
            covered.trim(end);
            seal = Optional.empty();
        }

        @Override
        public void lost() {
            lossy = true;
        }
    }

    /** Returns what it is known by at both ends. */
    public Number128 id() {
        return id;
    }

    /** Returns whether it had bytes before the machine went down that are not there any more. */
    public synchronized boolean isLossy() {
        return lossy;
    }

    /** Writes bytes where there are none yet; waits for the disk. */
    public void write(long position, ByteBuffer bytes) {
        write(position, bytes, file::write);
    }

    /** Writes a block that is left to the content, for a reader who follows closely; else as {@link #write}. */
    void writeAhead(long position, ByteBuffer block) {
        write(position, block, file::writeAhead);
    }

    private void write(long position, ByteBuffer bytes, ObjLongConsumer<ByteBuffer> write) {
        if (!bytes.hasRemaining()) {
            return;
        }
        Summed written = new Summed(position, position + bytes.remaining(), Crc32cSums.of(bytes), true);
        if (!file.isHole(written.range()) || !ZeroBytes.isAllZero(bytes)) {
            write.accept(bytes.duplicate(), position);
        }
        synchronized (this) {
            covered.add(written);
            unrecorded.add(written);
        }
        growth.forEach(Runnable::run);
    }

    /**
     * Writes the bytes that are not there and compares the others; waits for the disk.
     *
     * @return whether those that were there are the same; if not, what differs has not been written
     */
    public boolean writeOrCompare(long position, ByteBuffer bytes) {
        ByteRange range = new ByteRange(position, position + bytes.remaining());
        List<ByteRange> there;
        synchronized (this) {
            there = covered.within(range);
        }
        for (ByteRange part : there) {
            ByteBuffer old = ByteBuffer.allocate((int) part.length());
            read(part.start(), old);
            if (old.flip().mismatch(part(bytes, position, part)) >= 0) {
                return false;
            }
        }
        long at = position;
        for (ByteRange part : there) {
            write(at, part(bytes, position, new ByteRange(at, part.start())));
            at = part.end();
        }
        write(at, part(bytes, position, new ByteRange(at, range.end())));
        return true;
    }

    private static ByteBuffer part(ByteBuffer bytes, long position, ByteRange part) {
        return bytes.slice(bytes.position() + (int) (part.start() - position), (int) part.length());
    }

    /**
     * Fills the buffer with bytes that are there; waits for the disk.
     *
     * @throws IllegalArgumentException when some are not
     */
    public void read(long position, ByteBuffer into) {
        ByteRange range = new ByteRange(position, position + into.remaining());
        if (!contains(range)) {
            throw new IllegalArgumentException("content " + id + ": expected bytes " + range + ", found a hole");
        }
        file.read(into, position);
    }

    /** Copies bytes that another content has and this one has not; waits for the disk. */
    public void copyFrom(Content other, ByteRanges ranges) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
        for (ByteRange range : ranges.list()) {
            for (long at = range.start(); at < range.end(); at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(COPY_BYTES, range.end() - at));
                other.read(at, buffer);
                write(at, buffer.flip());
            }
        }
    }

    public synchronized boolean contains(ByteRange range) {
        return covered.contains(range);
    }

    /** Returns a copy of what is covered. */
    public synchronized ByteRanges covered() {
        return covered.ranges();
    }

    /** Returns how many bytes are covered. */
    public synchronized long coveredBytes() {
        return covered.total();
    }

    /** Returns what of a range is covered, ascending. */
    public synchronized List<ByteRange> coveredWithin(ByteRange range) {
        return covered.within(range);
    }

    /** Returns a copy of what may be told to others. */
    public synchronized ByteRanges recorded() {
        return ByteRanges.of(recorded.list());
    }

    synchronized boolean isRecorded(ByteRange range) {
        return recorded.contains(range);
    }

    /** Records what is covered; waits for the disk, but does not force it. */
    public void record() {
        synchronized (sidecarLock) {
            file.check();
            SummedRanges taken;
            synchronized (this) {
                taken = unrecorded;
                unrecorded = new SummedRanges();
            }
            try {
                sidecar.ranges(taken.list());
            } catch (StorageException e) {
                synchronized (this) {
                    taken.list().forEach(unrecorded::add);
                }
                throw e;
            }
            synchronized (this) {
                // some of it may have been trimmed meanwhile
                taken.list().stream()
                        .flatMap(range -> covered.within(range.range()).stream())
                        .forEach(range -> recorded.add(range.start(), range.end()));
            }
        }
    }

    /** Makes everything durable that is covered or noted by now; waits for the disk. */
    public void force() {
        record();
        long position;
        synchronized (sidecarLock) {
            position = sidecar.end();
        }
        file.force();
        synchronized (sidecarLock) {
            sidecar.forced(position);
            sidecar.force();
        }
        file.forceNames();
    }

    /**
     * Ends the growth: bytes behind the end are trimmed, and those that are covered then are all. Waits for the disk.
     *
     * @param end first byte behind the content
     */
    public Seal sealAt(long end) {
        if (covered().end() > end) {
            trim(end);
        }
        record();
        Seal sealed = new Seal(coveredBytes(), checksum().orElseGet(this::summed));
        seal(sealed);
        return sealed;
    }

    /** Notes what its holder says the whole is; waits for the disk. */
    public void seal(Seal sealed) {
        synchronized (sidecarLock) {
            file.check();
            sidecar.sealed(sealed);
            synchronized (this) {
                seal = Optional.of(sealed);
            }
        }
        growth.forEach(Runnable::run);
    }

    /** Returns the sum of all bytes where it is known without reading them. */
    synchronized OptionalInt checksum() {
        return covered.checksum();
    }

    /** Returns the sum of all bytes, and reads those again of which it is not known; waits for the disk. */
    int summed() {
        List<Summed> ranges;
        synchronized (this) {
            ranges = covered.list();
        }
        List<Summed> known = new ArrayList<>(ranges.size());
        ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
        for (Summed range : ranges) {
            known.add(range.known() ? range : range.with(sumOf(range, buffer)));
        }
        int sum = 0;
        for (Summed range : known) {
            sum = Crc32cSums.combine(sum, range.checksum(), range.length());
        }
        synchronized (this) {
            known.forEach(covered::add);
        }
        return sum;
    }

    private int sumOf(Summed range, ByteBuffer buffer) {
        int sum = 0;
        for (long at = range.start(); at < range.end(); at += buffer.limit()) {
            buffer.clear().limit((int) Math.min(COPY_BYTES, range.end() - at));
            file.read(buffer, at);
            buffer.flip();
            sum = Crc32cSums.combine(sum, Crc32cSums.of(buffer), buffer.limit());
        }
        return sum;
    }

    public synchronized Optional<Seal> seal() {
        return seal;
    }

    /** Returns whether it is sealed and all of it is there. */
    public synchronized boolean isComplete() {
        return seal.isPresent() && covered.total() == seal.get().length();
    }

    /** Forgets the bytes from this one on, and the seal; waits for the disk. */
    public void trim(long end) {
        record();
        synchronized (sidecarLock) {
            file.check();
            file.forgetKept();
            sidecar.trimmed(end);
            synchronized (this) {
                seal = Optional.empty();
                covered.trim(end);
                recorded.remove(end, Long.MAX_VALUE);
            }
        }
    }

    /** Lets it grow again; waits for the disk. */
    public void unseal() {
        if (seal().isPresent()) {
            trim(Long.MAX_VALUE);
        }
    }

    /** Returns what its owner noted last. */
    public synchronized String note() {
        return note;
    }

    /** Returns when its owner noted something last. */
    public synchronized Instant noted() {
        return noted;
    }

    /** Notes something, known after the process is killed; {@link #force} makes it durable. Waits for the disk. */
    public void note(Instant time, String text) {
        synchronized (sidecarLock) {
            file.check();
            sidecar.note(time, text);
            synchronized (this) {
                noted = time;
                note = text;
            }
        }
    }

    /** Calls it each time after there is more, or a seal, on the thread that wrote; must not block. Returns what ends that. */
    public Runnable onGrowth(Runnable action) {
        growth.add(action);
        return () -> growth.remove(action);
    }

    /** Calls it each time after bytes were sent to the one who pulls, with how many they were; must not block. */
    public Runnable onServed(LongConsumer action) {
        served.add(action);
        return () -> served.remove(action);
    }

    void served(long bytes) {
        served.forEach(action -> action.accept(bytes));
    }

    /** Keeps the file open, and the content from being evicted, until {@link #unpin}. */
    public void pin() {
        file.pin();
    }

    /** Ends one {@link #pin}. */
    public void unpin() {
        file.unpin();
    }

    /** Says whether it is only kept in case that somebody wants it again; not at first. */
    public void evictable(boolean unwanted) {
        file.evictable(unwanted);
    }

    boolean isEvictable() {
        return file.isEvictable();
    }
}
