package io.longhaul.storage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of the spool: a header block, then slots of equal size, all of them allocated on disk before they are used.
 *
 * <pre>
 * offset  length  big endian
 *      0       8  magic "LHSPOOL\0"
 *      8       4  format version, 1
 *     12       4  slot size, bytes
 *     16       4  CRC32C of bytes 0..15
 *     20    4076  zero
 *   4096       -  slots
 * </pre>
 *
 * <p>The file grows by writing zeros, so that a full disk shows before a body is taken in. See
 * {@code docs/protocol/ledger.md}. Fields are guarded by the spool; reads, writes and forces of the file are not.
 */
final class Segment {
    static final int HEADER_BYTES = 4096;
    /** Ending of the name of a segment that is being made. */
    static final String UNFINISHED = ".new";

    private static final long MAGIC = 0x4c4853504f4f4c00L;
    private static final int FORMAT = 1;
    private static final int CHECKED_BYTES = 16;
    private static final int ZERO_CHUNK = 1024 * 1024;

    final int number;
    final Path path;
    final int slotBytes;
    final DiskFile file;
    final BitSet used = new BitSet();
    int slots;
    /** Slots written since the last successful force. */
    final BitSet unforced = new BitSet();
    /** Slots whose force failed: what is on disk is unknown, and a later force that succeeds proves nothing. */
    final BitSet doubtful = new BitSet();

    private Segment(int number, Path path, int slotBytes, DiskFile file, int slots) {
        this.number = number;
        this.path = path;
        this.slotBytes = slotBytes;
        this.file = file;
        this.slots = slots;
    }

    /** Makes an empty segment, which appears under its name only when its header is whole and durable. */
    static Segment create(int number, Path path, int slotBytes, Disk disk) {
        Path fresh = path.resolveSibling(path.getFileName() + UNFINISHED);
        try (DiskFile file = disk.open(fresh)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.BIG_ENDIAN);
            header.putLong(MAGIC).putInt(FORMAT).putInt(slotBytes);
            header.putInt(crc(header)).position(0);
            file.setLength(0);
            file.write(header, 0);
            file.force();
        }
        disk.rename(fresh, path);
        disk.syncDirectory(parentOf(path));
        return new Segment(number, path, slotBytes, disk.open(path), 0);
    }

    private static Path parentOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    /** Opens a segment; null when the header is not one, in which case its content cannot be found. */
    static @Nullable Segment open(int number, Path path, Disk disk) {
        DiskFile file = disk.open(path);
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.BIG_ENDIAN);
        int count = file.read(header, 0);
        int slotBytes = header.getInt(12);
        if (count < HEADER_BYTES
                || header.getLong(0) != MAGIC
                || slotBytes <= 0
                || header.getInt(CHECKED_BYTES) != crc(header)) {
            file.close();
            return null;
        }
        if (header.getInt(8) != FORMAT) {
            file.close();
            throw new StorageException(
                    StorageException.Code.VERSION,
                    path + ": expected format " + FORMAT + ", found " + header.getInt(8));
        }
        int slots = (int) Math.min(Integer.MAX_VALUE, (file.length() - HEADER_BYTES) / slotBytes);
        return new Segment(number, path, slotBytes, file, slots);
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, CHECKED_BYTES);
        return (int) crc.getValue();
    }

    /** Allocates more slots on disk. */
    void grow(int more) {
        long from = offset(slots);
        long to = offset(slots + more);
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZERO_CHUNK, to - from));
        for (long at = from; at < to; at += zeros.limit()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            file.write(zeros, at);
        }
        slots += more;
    }

    /** Gives the disk back what all the slots take; none is in use. */
    void shrink() {
        file.setLength(HEADER_BYTES);
        slots = 0;
    }

    long offset(int slot) {
        return HEADER_BYTES + (long) slot * slotBytes;
    }

    long lengthBytes() {
        return offset(slots);
    }
}
