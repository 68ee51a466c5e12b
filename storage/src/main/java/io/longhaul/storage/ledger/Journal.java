package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead journal of a {@link BlockFile}: records of whole blocks, used again from the start after each
 * checkpoint.
 *
 * <pre>
 * record, big endian, starts at a multiple of 4096
 *      0       8  magic "LHJOURN\1"
 *      8       8  id of the block file
 *     16       8  sequence number, one more than the record before
 *     24       8  sequence number of the last record known forced when this one was written
 *     32       8  length of the H2 file after this record, bytes
 *     40       4  count of blocks
 *     44       4  CRC32C of the header and table, this field zero
 *     48  n * 12  table: physical block number (8), CRC32C of number and content (4)
 *   then zeros up to a multiple of 4096, then the contents
 * </pre>
 *
 * <p>Records are valid up to the first that is not whole; what follows was never promised to anybody, unless a later
 * record says that it had been forced: then the journal is damaged. See {@code docs/protocol/ledger.md}. Guarded by
 * its block file.
 */
final class Journal implements AutoCloseable {
    /** Far above what H2 writes at once; a greater count is not a count. */
    private static final int MAX_BLOCKS = 1 << 18;

    private static final int CHUNK_BLOCKS = 256;
    private static final long MAGIC = 0x4c484a4f55524e01L;
    private static final int TABLE = 48;
    private static final int COUNT_AT = 40;
    private static final int CRC_AT = 44;
    private static final int ENTRY = 12;

    /** A block as it stood in a record. */
    record Entry(long physical, int sum, long journalOffset) {}

    /** A whole record. */
    @SuppressWarnings("JavaLangClash") // what a journal consists of is called so
    record Record(long id, long sequence, long forcedSequence, long fileLength, List<Entry> entries, long end) {}

    private final DiskFile file;
    private long tail;
    private long forcedTail;
    private long sequence;
    private long forcedSequence;
    private long fileLength;

    private Journal(DiskFile file) {
        this.file = file;
    }

    static Journal open(Path path, Disk disk) {
        return new Journal(disk.open(path));
    }

    /**
     * Lets the next record follow on records that were read back, at the given offset.
     *
     * <p>They may never have been forced, so the next force forces.
     */
    void continueAfter(long lastSequence, long offset, long lengthNow) {
        fileLength = lengthNow;
        tail = offset;
        sequence = lastSequence;
        forcedTail = -1;
    }

    /** Lets the next record follow on the given sequence number, from the start of the file. */
    void startAfter(long lastSequence) {
        tail = 0;
        forcedTail = 0;
        sequence = lastSequence;
        forcedSequence = lastSequence;
    }

    /** Returns the length of the H2 file that the last record gives. */
    long fileLength() {
        return fileLength;
    }

    long sequence() {
        return sequence;
    }

    long tail() {
        return tail;
    }

    /** Writes one record, not forced; returns the offset of its first content. */
    long append(long id, long lengthNow, long[] physical, byte[][] contents) {
        int header = headerBytes(contents.length);
        ByteBuffer record = ByteBuffer.allocate(header).order(ByteOrder.BIG_ENDIAN);
        record.putLong(MAGIC)
                .putLong(id)
                .putLong(sequence + 1)
                .putLong(forcedSequence)
                .putLong(lengthNow);
        record.putInt(contents.length).putInt(0);
        for (int i = 0; i < contents.length; i++) {
            record.putLong(physical[i]).putInt(Block.sum(physical[i], contents[i], 0));
        }
        record.putInt(CRC_AT, headerSum(record, header));
        file.write(record.clear(), tail);
        writeContents(contents, tail + header);
        long offset = tail + header;
        tail = offset + (long) contents.length * Block.BYTES;
        sequence++;
        fileLength = lengthNow;
        return offset;
    }

    private void writeContents(byte[][] contents, long position) {
        ByteBuffer chunk = ByteBuffer.allocate(Math.min(contents.length, CHUNK_BLOCKS) * Block.BYTES);
        long at = position;
        for (byte[] content : contents) {
            if (!chunk.hasRemaining()) {
                file.write(chunk.flip(), at);
                at += chunk.limit();
                chunk.clear();
            }
            chunk.put(content);
        }
        file.write(chunk.flip(), at);
    }

    /** Makes all records durable. */
    void force() {
        if (forcedTail != tail) {
            file.force();
            forcedTail = tail;
            forcedSequence = sequence;
        }
    }

    /** Forgets the records since the last force: what is on disk of them is unknown. */
    void rollBack() {
        tail = forcedTail;
        sequence = forcedSequence;
        fileLength = -1;
    }

    void read(long offset, ByteBuffer into) {
        file.read(into, offset);
    }

    long fileBytes() {
        return file.length();
    }

    /** Whether a record starts at 0, whole or not, as from the first checkpoint on one always does. */
    boolean hasStart() {
        ByteBuffer start = ByteBuffer.allocate(Long.BYTES);
        return file.read(start, 0) == Long.BYTES && start.getLong(0) == MAGIC;
    }

    /** Returns the whole records from the start on, each the successor of the one before. */
    List<Record> records() {
        List<Record> chain = new ArrayList<>();
        long at = 0;
        Record next = recordAt(at);
        while (next != null
                && (chain.isEmpty() || next.sequence == chain.get(chain.size() - 1).sequence + 1)
                && (chain.isEmpty() || next.id == chain.get(0).id)) {
            chain.add(next);
            at = next.end;
            next = recordAt(at);
        }
        return chain;
    }

    /** Returns the greatest number of any record after the offset, 0 if there is none. */
    long newestAfter(long offset, long id) {
        return greatest(offset, id, Record::sequence);
    }

    /** Returns the sequence number that any record after the offset says was forced, 0 if there is none. */
    long forcedAfter(long offset, long id) {
        return greatest(offset, id, Record::forcedSequence);
    }

    private long greatest(long offset, long id, ToLongFunction<Record> number) {
        long[] greatest = {0};
        forEachTable(offset, record -> {
            if (record.id == id) {
                greatest[0] = Math.max(greatest[0], number.applyAsLong(record));
            }
        });
        return greatest[0];
    }

    /**
     * Returns the newest header of the block file that any record still holds; null when there is none.
     *
     * <p>The journal is used again from its start, so behind its valid records lie old ones, often whole.
     */
    Layout.@Nullable Header newestHeader() {
        Layout.Header[] newest = {null};
        byte[] block = new byte[Block.BYTES];
        forEachTable(0, record -> {
            for (Entry entry : record.entries) {
                if (entry.physical == 0 && content(entry, entry.sum, block)) {
                    Layout.Header header = Layout.header(block);
                    if (header != null && (newest[0] == null || header.sequence() > newest[0].sequence())) {
                        newest[0] = header;
                    }
                }
            }
        });
        return newest[0];
    }

    /** Looks in all records, old ones too, for blocks with the given content sums; returns those found. */
    Map<Long, byte[]> find(Map<Long, Integer> sumByPhysical) {
        Map<Long, byte[]> found = new HashMap<>();
        forEachTable(0, record -> {
            for (Entry entry : record.entries) {
                Integer sum = sumByPhysical.get(entry.physical);
                byte[] block = new byte[Block.BYTES];
                if (sum != null && sum == entry.sum && content(entry, sum, block)) {
                    found.put(entry.physical, block);
                }
            }
        });
        return found;
    }

    private boolean content(Entry entry, int sum, byte[] block) {
        return file.read(ByteBuffer.wrap(block), entry.journalOffset) == Block.BYTES
                && Block.sum(entry.physical, block, 0) == sum;
    }

    private void forEachTable(long from, Consumer<Record> action) {
        for (long at = from; at < file.length(); at += Block.BYTES) {
            Record record = tableAt(at);
            if (record != null) {
                action.accept(record);
            }
        }
    }

    /** Returns the record at the offset when all of it is there, else null. */
    private @Nullable Record recordAt(long offset) {
        Record record = tableAt(offset);
        if (record == null) {
            return null;
        }
        byte[] block = new byte[Block.BYTES];
        for (Entry entry : record.entries) {
            if (!content(entry, entry.sum, block)) {
                return null;
            }
        }
        return record;
    }

    /** Returns what header and table of a record at the offset say, null when they are none. */
    private @Nullable Record tableAt(long offset) {
        ByteBuffer header = ByteBuffer.allocate(Block.BYTES).order(ByteOrder.BIG_ENDIAN);
        if (file.read(header, offset) < Block.BYTES || header.getLong(0) != MAGIC) {
            return null;
        }
        int count = header.getInt(COUNT_AT);
        if (count < 0 || count > MAX_BLOCKS) {
            return null;
        }
        header = ByteBuffer.allocate(headerBytes(count)).order(ByteOrder.BIG_ENDIAN);
        if (file.read(header, offset) < header.capacity()
                || header.getInt(CRC_AT) != headerSum(header, header.capacity())) {
            return null;
        }
        long content = offset + headerBytes(count);
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(
                    header.getLong(TABLE + i * ENTRY), header.getInt(TABLE + i * ENTRY + Long.BYTES), content));
            content += Block.BYTES;
        }
        return new Record(
                header.getLong(8), header.getLong(16), header.getLong(24), header.getLong(32), entries, content);
    }

    private static int headerBytes(int count) {
        return (int) (Block.count(TABLE + (long) count * ENTRY) * Block.BYTES);
    }

    private static int headerSum(ByteBuffer record, int header) {
        CRC32C crc = new CRC32C();
        crc.update(record.array(), 0, CRC_AT);
        crc.update(new byte[Integer.BYTES]);
        crc.update(record.array(), CRC_AT + Integer.BYTES, header - CRC_AT - Integer.BYTES);
        return (int) crc.getValue();
    }

    @Override
    public void close() {
        file.close();
    }
}
