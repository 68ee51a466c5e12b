package io.longhaul.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The spool as files {@code segment-N}.
 *
 * <p>A position is the segment's number in the upper bits and the offset in its file in the lower {@value #OFFSET_BITS}.
 * The free slot that is nearest to the start is taken first, so that the last segments become empty and can go.
 * Allocation is guarded by {@code this}; bytes move outside of it; forces are one at a time.
 */
final class SegmentedSpool implements Spool, AutoCloseable {
    private static final int OFFSET_BITS = 40;
    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;
    private static final long GROWTH_BYTES = 16L * 1024 * 1024;
    /**
     * Left to the ledger, which mostly lies on the same disk: with less than its reserve what is spooled could not be brought to an
     * end.
     */
    private static final long LEDGER_BYTES = 2 * LedgerProvider.RESERVE_BYTES;

    private static final String PREFIX = "segment-";
    /** So many empty segments keep their blocks: a slot that is used again costs no allocation. */
    private static final int EMPTY_KEPT = 4;

    private final Path directory;
    private final StoreConfig config;
    private final Disk disk;
    private final TreeMap<Integer, Segment> segments = new TreeMap<>(); // guarded by this
    private final List<String> findings = new ArrayList<>();
    private final Object forcing = new Object();
    private boolean closed; // guarded by this

    private SegmentedSpool(Path directory, StoreConfig config, Disk disk) {
        this.directory = directory;
        this.config = config;
        this.disk = disk;
    }

    /** Opens the segments that are there; all their slots count as free until {@link #markUsed} says otherwise. */
    static SegmentedSpool open(Path directory, StoreConfig config, Disk disk) {
        disk.createPrivateDirectory(directory);
        SegmentedSpool spool = new SegmentedSpool(directory, config, disk);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : files) {
                spool.adopt(file);
            }
        } catch (IOException e) {
            spool.close();
            throw DiskFailure.of("list", directory, 0, e);
        } catch (RuntimeException e) {
            spool.close();
            throw e;
        }
        return spool;
    }

    private void adopt(Path file) {
        if (file.toString().endsWith(Segment.UNFINISHED)) {
            disk.delete(file);
            return;
        }
        int number;
        try {
            number = Integer.parseInt(file.getFileName().toString().substring(PREFIX.length()));
        } catch (NumberFormatException e) {
            return;
        }
        Segment segment = Segment.open(number, file, disk);
        if (segment == null) {
            Path aside = file.resolveSibling("damaged-" + file.getFileName());
            disk.rename(file, aside);
            findings.add(file + ": the header is damaged; moved to " + aside);
        } else {
            segments.put(number, segment);
        }
    }

    List<String> findings() {
        return List.copyOf(findings);
    }

    @Override
    public long write(ByteBuffer body) {
        int length = body.remaining();
        if (length > config.slotBytes()) {
            throw new IllegalArgumentException(
                    "body of " + length + " bytes, slots of " + config.slotBytes() + " bytes");
        }
        Segment segment;
        int slot;
        synchronized (this) {
            segment = segmentWithRoom();
            slot = segment.used.nextClearBit(0);
            segment.used.set(slot);
        }
        try {
            segment.file.write(body, segment.offset(slot));
        } catch (RuntimeException e) {
            synchronized (this) {
                segment.used.clear(slot);
            }
            throw e;
        }
        synchronized (this) {
            segment.unforced.set(slot);
        }
        return position(segment.number, segment.offset(slot));
    }

    private Segment segmentWithRoom() {
        checkOpen();
        for (Segment segment : segments.values()) {
            if (segment.slotBytes == config.slotBytes() && segment.used.nextClearBit(0) < segment.slots) {
                return segment;
            }
        }
        for (Segment segment : segments.values()) {
            int room = roomToGrow(segment);
            if (room > 0) {
                segment.grow(allowedGrowth(room));
                return segment;
            }
        }
        int perSegment = Math.max(1, (int)
                Math.min(Integer.MAX_VALUE, (config.segmentBytes() - Segment.HEADER_BYTES) / config.slotBytes()));
        int first = allowedGrowth(perSegment);
        int number = 0;
        while (segments.containsKey(number)) {
            number++;
        }
        Segment segment = Segment.create(number, directory.resolve(PREFIX + number), config.slotBytes(), disk);
        segments.put(number, segment);
        segment.grow(first);
        return segment;
    }

    private int roomToGrow(Segment segment) {
        if (segment.slotBytes != config.slotBytes()) {
            return 0;
        }
        long room = (config.segmentBytes() - segment.lengthBytes()) / config.slotBytes();
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, room));
    }

    /** Returns how many slots may be allocated, at least one and at most {@code room}; refuses when not even one. */
    private int allowedGrowth(int room) {
        long slot = config.slotBytes();
        long allocated = 0;
        for (Segment segment : segments.values()) {
            allocated += (long) segment.slots * segment.slotBytes;
        }
        long floor = Math.max(config.floorBytes(), LEDGER_BYTES);
        long free = Math.max(0, disk.usableSpace(directory) - floor);
        long left = Math.max(0, config.quotaBytes() - allocated);
        long may = Math.min(Math.min(free, left), Math.max(GROWTH_BYTES, slot)) / slot;
        if (may < 1) {
            throw new StorageException(
                    StorageException.Code.NO_SPACE,
                    DiskFailure.noSpace(directory, slot, Math.min(free, left))
                            + (left < slot
                                    ? " of the quota of " + config.quotaBytes() + " bytes"
                                    : " above the floor of " + floor + " bytes"));
        }
        return (int) Math.min(room, may);
    }

    @Override
    public void force() {
        // one at a time: who comes second must not return before the first one's bytes, which may be its own, are there
        synchronized (forcing) {
            List<Segment> dirty = new ArrayList<>();
            synchronized (this) {
                checkOpen();
                for (Segment segment : segments.values()) {
                    if (!segment.unforced.isEmpty() || !segment.doubtful.isEmpty()) {
                        dirty.add(segment);
                    }
                }
            }
            dirty.forEach(this::force);
        }
    }

    private void force(Segment segment) {
        BitSet written;
        synchronized (this) {
            if (!segment.doubtful.isEmpty()) {
                throw new StorageException(
                        StorageException.Code.IO,
                        segment.path + ": an earlier sync failed; slots " + segment.doubtful
                                + " must be released and written again");
            }
            written = (BitSet) segment.unforced.clone();
            segment.unforced.clear();
        }
        try {
            segment.file.force();
        } catch (RuntimeException e) {
            synchronized (this) {
                written.and(segment.used);
                segment.doubtful.or(written);
            }
            throw e;
        }
    }

    @Override
    public void read(long position, ByteBuffer into) {
        Segment segment = segmentAt(position);
        int wanted = into.remaining();
        int count = segment.file.read(into, position & OFFSET_MASK);
        if (count < wanted) {
            throw new StorageException(
                    StorageException.Code.DAMAGED,
                    segment.path + ": expected " + wanted + " bytes at " + (position & OFFSET_MASK) + ", found "
                            + count);
        }
    }

    @Override
    public void release(long position) {
        free(List.of(position));
    }

    synchronized void free(List<Long> positions) {
        for (long position : positions) {
            Segment segment = segments.get(number(position));
            if (segment != null && isSlot(segment, position)) {
                int slot = slot(segment, position);
                segment.used.clear(slot);
                segment.unforced.clear(slot);
                segment.doubtful.clear(slot);
            }
        }
        shrinkEmpty();
    }

    /** What an outage has filled is not to be taken from others until the next start. */
    private void shrinkEmpty() {
        int kept = 0;
        for (Segment segment : segments.values()) {
            boolean empty = segment.slots > 0 && segment.used.isEmpty();
            boolean mine = segment.slotBytes == config.slotBytes();
            if (empty && (!mine || kept++ >= EMPTY_KEPT)) {
                try {
                    segment.shrink();
                } catch (StorageException e) {
                    return; // tried again when more is freed
                }
            }
        }
    }

    /** Takes the slot for a piece that the ledger names; false when there is no such slot or another piece has it. */
    synchronized boolean markUsed(long position) {
        Segment segment = segments.get(number(position));
        if (segment == null || !isSlot(segment, position) || segment.used.get(slot(segment, position))) {
            return false;
        }
        segment.used.set(slot(segment, position));
        return true;
    }

    @Override
    public String describe(long position) {
        return directory.resolve(PREFIX + number(position)) + " at " + (position & OFFSET_MASK);
    }

    /**
     * Deletes segments that hold nothing, from the last on, and all empty ones of another slot size.
     *
     * <p>One that a power loss brings back is deleted again.
     */
    synchronized void dropUnused() {
        boolean trailing = true;
        List<Segment> gone = new ArrayList<>();
        for (Map.Entry<Integer, Segment> entry : segments.descendingMap().entrySet()) {
            Segment segment = entry.getValue();
            trailing &= segment.used.isEmpty();
            if (segment.used.isEmpty() && (trailing || segment.slotBytes != config.slotBytes())) {
                gone.add(segment);
            }
        }
        for (Segment segment : gone) {
            segments.remove(segment.number);
            segment.file.close();
            disk.delete(segment.path);
        }
    }

    private synchronized Segment segmentAt(long position) {
        checkOpen();
        Segment segment = segments.get(number(position));
        if (segment == null) {
            throw new StorageException(
                    StorageException.Code.DAMAGED, describe(position) + ": the segment does not exist");
        }
        return segment;
    }

    private void checkOpen() {
        if (closed) {
            throw new StorageException(StorageException.Code.CLOSED, "spool " + directory + " is closed");
        }
    }

    private static boolean isSlot(Segment segment, long position) {
        long within = (position & OFFSET_MASK) - Segment.HEADER_BYTES;
        return position >= 0
                && within >= 0
                && within % segment.slotBytes == 0
                && within / segment.slotBytes < segment.slots;
    }

    private static int slot(Segment segment, long position) {
        return (int) (((position & OFFSET_MASK) - Segment.HEADER_BYTES) / segment.slotBytes);
    }

    private static int number(long position) {
        return (int) (position >>> OFFSET_BITS);
    }

    private static long position(int number, long offset) {
        return ((long) number << OFFSET_BITS) | offset;
    }

    @Override
    public synchronized void close() {
        closed = true;
        segments.values().forEach(segment -> segment.file.close());
    }
}
