package io.longhaul.gridftp.content;

import io.longhaul.gridftp.content.SummedRanges.Summed;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file beside a content's bytes that says what is there: a log, to which records are added; big-endian. {@code
 * docs/protocol/content.md} describes it.
 *
 * <pre>
 *  0             4             8                       24            28
 * +-------------+-------------+-----------------------+-------------+---------------------
 * | magic LHCN  | version 1   | content (16)          | CRC of 0-23 | records
 * +-------------+-------------+-----------------------+-------------+---------------------
 *
 * record:  +--------------------------+---------------------+----------+---------
 *          | length of type + fields  | CRC of these        | type (1) | fields
 *          +--------------------------+---------------------+----------+---------
 *  NOTE    1   time (8: ms), text
 *  RANGES  2   boot (8), {start (8), end (8), CRC-32C (4), whether it is known (1)}...
 *  FORCED  3   position (8): bytes of the ranges in the records before it survive a power loss
 *  SEALED  4   length (8), CRC-32C (4)
 *  TRIMMED 5   end (8): bytes from there on are not there any more
 * </pre>
 *
 * <p>Ranges that were not forced count only while the machine has not been started again: until then the bytes that a
 * killed process wrote are in the system's memory at least. Appends belong to one thread at a time.
 */
final class Sidecar {
    private static final Logger LOG = LoggerFactory.getLogger(Sidecar.class);
    private static final int MAGIC = 0x4C48434E;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 28;
    private static final int RECORD_HEADER_BYTES = 8;
    private static final int MAX_RECORD_BYTES = 16 * 1024 * 1024;
    private static final int RANGE_BYTES = 21;
    private static final byte NOTE = 1;
    private static final byte RANGES = 2;
    private static final byte FORCED = 3;
    private static final byte SEALED = 4;
    private static final byte TRIMMED = 5;

    private final Path path;
    private final Disk disk;
    private final long boot;
    private long end;

    private Sidecar(Path path, Disk disk, long boot, long end) {
        this.path = path;
        this.disk = disk;
        this.boot = boot;
        this.end = end;
    }

    /** Hears what the records say, in their order. */
    interface Reader {
        void note(Instant time, String text);

        void range(Summed range);

        void sealed(Seal seal);

        void trimmed(long end);

        /** Ranges were dropped, because they were written before the machine went down and not forced. */
        void lost();
    }

    /** Begins one with nothing in it but its name. */
    static Sidecar create(Path path, Disk disk, long boot, Number128 content) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putLong(content.high())
                .putLong(content.low());
        header.putInt(Crc32cSums.of(header.duplicate().flip())).flip();
        Sidecar sidecar = new Sidecar(path, disk, boot, HEADER_BYTES);
        try (DiskFile file = disk.open(path)) {
            file.write(header, 0);
        }
        return sidecar;
    }

    /**
     * Reads what is there. What was being written when the power failed is cut off.
     *
     * @throws StorageException {@code VERSION} for one of another version, {@code DAMAGED} when it is none
     */
    static Sidecar open(Path path, Disk disk, long boot, Number128 content, Reader reader) {
        try (DiskFile file = disk.open(path)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
            file.read(header, 0);
            header.flip();
            checkHeader(path, header, content);
            long length = file.length();
            long end = replay(path, file, length, boot, reader);
            if (end < length) {
                LOG.warn(
                        "{}: expected a record at {}, found {} bytes that are none; they are cut off",
                        path,
                        end,
                        length - end);
                file.setLength(end);
            }
            return new Sidecar(path, disk, boot, end);
        }
    }

    private static void checkHeader(Path path, ByteBuffer header, Number128 content) {
        if (header.limit() < HEADER_BYTES
                || header.getInt() != MAGIC
                || header.getInt(HEADER_BYTES - 4) != Crc32cSums.of(header.slice(0, HEADER_BYTES - 4))) {
            throw new StorageException(StorageException.Code.DAMAGED, path + ": expected a header, found none");
        }
        int version = header.getInt();
        if (version != VERSION) {
            throw new StorageException(
                    StorageException.Code.VERSION, path + ": expected version " + VERSION + ", found " + version);
        }
        Number128 found = new Number128(header.getLong(), header.getLong());
        if (!found.equals(content)) {
            throw new StorageException(StorageException.Code.DAMAGED, path + ": found the header of " + found);
        }
    }

    private static long replay(Path path, DiskFile file, long length, long boot, Reader reader) {
        long forced = lastForced(file, length);
        long at = HEADER_BYTES;
        boolean lost = false;
        ByteBuffer record = record(file, at, length);
        while (record.hasRemaining()) {
            int size = record.remaining();
            switch (record.get()) {
                case NOTE -> reader.note(Instant.ofEpochMilli(record.getLong()), text(record));
                case RANGES -> {
                    boolean isThere = record.getLong() == boot && boot != 0 || at < forced;
                    lost |= !isThere;
                    while (isThere && record.remaining() >= RANGE_BYTES) {
                        reader.range(
                                new Summed(record.getLong(), record.getLong(), record.getInt(), record.get() != 0));
                    }
                }
                case SEALED -> reader.sealed(new Seal(record.getLong(), record.getInt()));
                case TRIMMED -> reader.trimmed(record.getLong());
                case FORCED -> {}
                default ->
                    throw new StorageException(
                            StorageException.Code.VERSION,
                            path + ": found a record of a kind that is not known at " + at);
            }
            at += RECORD_HEADER_BYTES + size;
            record = record(file, at, length);
        }
        if (lost) {
            reader.lost();
        }
        return at;
    }

    private static long lastForced(DiskFile file, long length) {
        long forced = 0;
        long at = HEADER_BYTES;
        ByteBuffer record = record(file, at, length);
        while (record.hasRemaining()) {
            if (record.get(0) == FORCED) {
                forced = record.getLong(1);
            }
            at += RECORD_HEADER_BYTES + record.remaining();
            record = record(file, at, length);
        }
        return forced;
    }

    /** Returns type and fields of the record at a place; nothing when there is no whole one. */
    private static ByteBuffer record(DiskFile file, long at, long length) {
        ByteBuffer none = ByteBuffer.allocate(0);
        ByteBuffer header = ByteBuffer.allocate(RECORD_HEADER_BYTES);
        if (at + RECORD_HEADER_BYTES > length || file.read(header, at) < RECORD_HEADER_BYTES) {
            return none;
        }
        int size = header.flip().getInt();
        int checksum = header.getInt();
        if (size < 1 || size > MAX_RECORD_BYTES || size > length - at - RECORD_HEADER_BYTES) {
            return none;
        }
        ByteBuffer record = ByteBuffer.allocate(size);
        file.read(record, at + RECORD_HEADER_BYTES);
        record.flip();
        boolean isSound = record.remaining() == size && Crc32cSums.of(record) == checksum && hasItsFields(record);
        return isSound ? record : none;
    }

    private static boolean hasItsFields(ByteBuffer record) {
        int fields = record.remaining() - 1;
        return switch (record.get(0)) {
            case NOTE -> fields >= 8;
            case RANGES -> fields >= 8 && (fields - 8) % RANGE_BYTES == 0;
            case FORCED, TRIMMED -> fields == 8;
            case SEALED -> fields == 12;
            default -> true;
        };
    }

    private static String text(ByteBuffer in) {
        return StandardCharsets.UTF_8.decode(in).toString();
    }

    void note(Instant time, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        append(start(NOTE, 8 + bytes.length).putLong(time.toEpochMilli()).put(bytes));
    }

    void ranges(List<Summed> ranges) {
        if (ranges.isEmpty()) {
            return;
        }
        ByteBuffer record = start(RANGES, 8 + RANGE_BYTES * ranges.size()).putLong(boot);
        for (Summed range : ranges) {
            record.putLong(range.start()).putLong(range.end()).putInt(range.checksum());
            record.put((byte) (range.known() ? 1 : 0));
        }
        append(record);
    }

    /** Returns where the next record will be. */
    long end() {
        return end;
    }

    void forced(long position) {
        append(start(FORCED, 8).putLong(position));
    }

    void sealed(Seal seal) {
        append(start(SEALED, 12).putLong(seal.length()).putInt(seal.checksum()));
    }

    void trimmed(long length) {
        append(start(TRIMMED, 8).putLong(length));
    }

    private static ByteBuffer start(byte type, int fields) {
        return ByteBuffer.allocate(RECORD_HEADER_BYTES + 1 + fields)
                .position(RECORD_HEADER_BYTES)
                .put(type);
    }

    private void append(ByteBuffer record) {
        record.flip();
        int size = record.limit() - RECORD_HEADER_BYTES;
        record.putInt(0, size).putInt(4, Crc32cSums.of(record.slice(RECORD_HEADER_BYTES, size)));
        // opened for each record: contents are many, and most of them are quiet
        try (DiskFile file = disk.open(path)) {
            file.write(record, end);
        }
        end += record.limit();
    }

    void force() {
        try (DiskFile file = disk.open(path)) {
            file.force();
        }
    }
}
