package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * The file under H2: takes in whole writes in order, keeps all or nothing of each through a power loss, and has a
 * checksum for every block.
 *
 * <h2>Why H2 does not write to its file itself</h2>
 * H2 appends chunks and then points a header at the last one; neither chunks nor pages carry a checksum of their
 * content, and it writes over replaced chunks without a sync in between. A power loss that keeps the header and drops
 * part of a chunk, or a flipped byte, would be found late or never.
 *
 * <h2>How it works</h2>
 * Writes collect in memory ({@code pending}). {@link #force} appends them as one record to the {@link Journal} and
 * forces that: the only sync of a commit. When the journal is long, a checkpoint copies the journaled blocks to their
 * places, forces the file, and the journal starts anew. Opening reads the journal's whole records back: the file is
 * then as it was after some write of H2, at least the last forced one, which is all that H2 needs.
 *
 * <p>The writer holds this object's monitor; readers share {@code lock} with the moments in which blocks move. The
 * order is write, force, checkpoint; see {@code docs/protocol/ledger.md}.
 */
final class BlockFile implements AutoCloseable {
    static final long JOURNAL_BYTES = 8L * 1024 * 1024;
    private static final int PENDING_BLOCKS = 1024;

    private final Path path;
    private final DiskFile file;
    private final Journal journal;
    private final Layout layout;
    private final long checkpointBytes;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    // all below: written under the monitor and the write lock, read under either lock
    private final TreeMap<Long, byte[]> pending = new TreeMap<>();
    private final TreeMap<Long, byte[]> unforced = new TreeMap<>();
    private final Map<Long, Long> unforcedAt = new HashMap<>();
    private final TreeMap<Long, Long> journaledAt = new TreeMap<>();
    private final BitSet changedPages = new BitSet();
    private long length;
    private long writtenBytes;
    private boolean closed;
    private boolean inMemory; // guarded by this

    private BlockFile(Path path, DiskFile file, Journal journal, Layout layout, long length, long checkpointBytes) {
        this.path = path;
        this.file = file;
        this.journal = journal;
        this.layout = layout;
        this.length = length;
        this.checkpointBytes = checkpointBytes;
    }

    /** Makes an empty file; it appears under its name only when it is whole. */
    static void create(Path path, Disk disk, long id) {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        try (DiskFile file = disk.open(fresh)) {
            file.setLength(0);
            file.write(ByteBuffer.wrap(Layout.header(id, 0, 0)), 0);
            file.force();
        }
        disk.rename(fresh, path);
        disk.syncDirectory(directory(path));
    }

    static Path journalOf(Path path) {
        return path.resolveSibling(path.getFileName() + ".journal");
    }

    private static Path directory(Path path) {
        return path.resolveSibling(".").normalize();
    }

    /** Opens a file that exists; what is damaged is named by the recovery, and reading it fails. */
    static Recovered open(Path path, Disk disk) {
        return open(path, disk, JOURNAL_BYTES, findings -> {});
    }

    /** Opens it, and tells what was lost before that is mended. */
    static Recovered open(Path path, Disk disk, long checkpointBytes, Consumer<List<String>> lost) {
        boolean newJournal = !Files.exists(journalOf(path));
        DiskFile file = disk.open(path);
        Journal journal = null;
        try {
            journal = Journal.open(journalOf(path), disk);
            if (newJournal) {
                disk.syncDirectory(directory(path));
            }
            Recovery recovery = Recovery.of(path, file, journal);
            if (recovery.lost()) {
                lost.accept(recovery.findings());
            }
            BlockFile opened =
                    new BlockFile(path, file, journal, recovery.layout(), recovery.length(), checkpointBytes);
            opened.journaledAt.putAll(recovery.journaledAt());
            opened.journaledAt.keySet().forEach(block -> opened.changedPages.set(Layout.page(block)));
            opened.changedPages.or(recovery.repairedPages());
            opened.pending.putAll(recovery.repairedBlocks());
            if (recovery.needsCheckpoint()) {
                opened.force();
                opened.checkpoint();
            }
            return new Recovered(opened, recovery.findings(), recovery.damaged());
        } catch (RuntimeException e) {
            file.close();
            if (journal != null) {
                journal.close();
            }
            throw e;
        }
    }

    /** From now on keeps writes in memory, to be forgotten: for a look into a damaged file. */
    synchronized void keepInMemory() {
        inMemory = true;
    }

    long length() {
        lock.readLock().lock();
        try {
            return length;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns the bytes written since the file was opened. */
    long writtenBytes() {
        lock.readLock().lock();
        try {
            return writtenBytes;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Reads up to the buffer's remaining bytes; returns their count, -1 at the end. */
    int read(ByteBuffer into, long position) {
        lock.readLock().lock();
        try {
            requireOpen();
            if (position >= length) {
                return -1;
            }
            int total = (int) Math.min(into.remaining(), length - position);
            int left = total;
            long at = position;
            while (left > 0) {
                byte[] content = block(at / Block.BYTES);
                int from = (int) (at % Block.BYTES);
                int count = Math.min(left, Block.BYTES - from);
                into.put(content, from, count);
                at += count;
                left -= count;
            }
            return total;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns the current content of a block; the caller holds a lock and does not change it. */
    private byte[] block(long number) {
        byte[] content = pending.get(number);
        if (content == null) {
            content = unforced.get(number);
        }
        if (content != null) {
            return content;
        }
        byte[] read = new byte[Block.BYTES];
        Long offset = journaledAt.get(number);
        if (offset != null) {
            journal.read(offset, ByteBuffer.wrap(read));
        } else {
            file.read(ByteBuffer.wrap(read), Layout.physical(number) * Block.BYTES);
        }
        String damage = layout.compare(number, read);
        if (damage != null) {
            throw new StorageException(
                    StorageException.Code.DAMAGED, (offset != null ? journalOf(path) : path) + ": " + damage);
        }
        return read;
    }

    synchronized void write(ByteBuffer bytes, long position) {
        lock.writeLock().lock();
        try {
            requireOpen();
            long end = position + bytes.remaining();
            writtenBytes += bytes.remaining();
            for (long gap = Block.count(length); gap < position / Block.BYTES; gap++) {
                pending.put(gap, new byte[Block.BYTES]);
            }
            long before = Block.count(length);
            long at = position;
            while (bytes.hasRemaining()) {
                long number = at / Block.BYTES;
                int from = (int) (at % Block.BYTES);
                int count = Math.min(bytes.remaining(), Block.BYTES - from);
                boolean fresh = count == Block.BYTES || number >= before && !pending.containsKey(number);
                byte[] content = fresh ? new byte[Block.BYTES] : block(number).clone();
                bytes.get(content, from, count);
                pending.put(number, content);
                at += count;
            }
            length = Math.max(length, end);
        } finally {
            lock.writeLock().unlock();
        }
        if (pending.size() >= PENDING_BLOCKS && !inMemory) {
            // any moment between two writes of H2 is one that H2 can be opened at
            ifRoom(() -> {
                append();
                if (journal.tail() > checkpointBytes) {
                    force();
                }
            });
        }
    }

    synchronized void truncate(long newLength) {
        lock.writeLock().lock();
        try {
            requireOpen();
            if (newLength < length) {
                length = newLength;
                long count = Block.count(newLength);
                int kept = (int) (newLength % Block.BYTES);
                if (kept > 0) {
                    // what follows in the last block must be zero if the file grows again
                    pending.put(count - 1, Arrays.copyOf(Arrays.copyOf(block(count - 1), kept), Block.BYTES));
                }
                pending.tailMap(count).clear();
                unforced.tailMap(count).clear();
                unforcedAt.keySet().removeIf(number -> number >= count);
                journaledAt.tailMap(count).clear();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Makes everything written durable. */
    synchronized void force() {
        requireOpen();
        if (inMemory) {
            return;
        }
        try {
            if (!pending.isEmpty() || journal.fileLength() != length) {
                append();
            }
            journal.force();
        } catch (RuntimeException e) {
            // what a failed sync left on disk is unknown, and the next one would not tell: write it all again
            journal.rollBack();
            lock.writeLock().lock();
            try {
                unforced.forEach(pending::putIfAbsent);
                unforced.clear();
                unforcedAt.clear();
            } finally {
                lock.writeLock().unlock();
            }
            throw e;
        }
        lock.writeLock().lock();
        try {
            journaledAt.putAll(unforcedAt);
            unforced.clear();
            unforcedAt.clear();
        } finally {
            lock.writeLock().unlock();
        }
        if (journal.tail() > checkpointBytes) {
            ifRoom(this::checkpoint); // the journal holds everything and may grow on
        }
    }

    private void append() {
        long[] physical = new long[pending.size()];
        byte[][] contents = new byte[pending.size()][];
        int i = 0;
        for (Map.Entry<Long, byte[]> each : pending.entrySet()) {
            physical[i] = Layout.physical(each.getKey());
            contents[i++] = each.getValue();
        }
        long offset = journal.append(layout.id(), length, physical, contents);
        lock.writeLock().lock();
        try {
            for (Map.Entry<Long, byte[]> each : pending.entrySet()) {
                layout.set(each.getKey(), each.getValue());
                changedPages.set(Layout.page(each.getKey()));
                unforced.put(each.getKey(), each.getValue());
                unforcedAt.put(each.getKey(), offset);
                offset += Block.BYTES;
            }
            pending.clear();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Does what may wait until there is room: H2 closes for good at a write that fails, and not at a force. */
    private static void ifRoom(Runnable step) {
        try {
            step.run();
        } catch (StorageException e) {
            if (e.code() != StorageException.Code.NO_SPACE) {
                throw e;
            }
        }
    }

    /** Brings journaled blocks to their places and starts the journal anew; everything written has been forced. */
    synchronized void checkpoint() {
        new Checkpoint(file, journal, layout, length).write(changedPages, journaledAt);
        lock.writeLock().lock();
        try {
            journaledAt.clear();
            changedPages.clear();
            journal.startAfter(journal.sequence());
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Compares every block with its checksum; returns what is damaged. */
    List<String> verify() {
        List<String> damage = new ArrayList<>();
        for (long number = 0; number < Block.count(length()); number++) {
            lock.readLock().lock();
            try {
                requireOpen();
                if (number < Block.count(length)) {
                    block(number);
                }
            } catch (StorageException e) {
                damage.add(e.getMessage());
            } finally {
                lock.readLock().unlock();
            }
        }
        return damage;
    }

    private void requireOpen() {
        if (closed) {
            throw new StorageException(StorageException.Code.CLOSED, path + " is closed");
        }
    }

    /** Forces, brings everything to its place and closes. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        try {
            if (!inMemory) {
                force();
                checkpoint();
            }
        } finally {
            abandon();
        }
    }

    /** Closes and leaves what was not forced behind. */
    synchronized void abandon() {
        lock.writeLock().lock();
        try {
            closed = true;
        } finally {
            lock.writeLock().unlock();
        }
        try {
            journal.close();
        } finally {
            file.close();
        }
    }
}
