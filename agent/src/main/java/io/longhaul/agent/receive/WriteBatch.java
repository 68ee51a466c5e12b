package io.longhaul.agent.receive;

import io.longhaul.agent.link.Delivery;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What became durable together: bytes first, then names, then the ledger; only then may the flow be acknowledged.
 *
 * <p>Filled by the receiver thread, then handed over to be made durable; never both at once.
 */
final class WriteBatch {
    private final Map<Path, DiskFile> files = new LinkedHashMap<>();
    private final Set<Path> directories = new LinkedHashSet<>();
    private final Map<Long, List<PieceRow>> pieces = new LinkedHashMap<>();
    private final List<LedgerChange> changes = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private long bytes;
    private int pieceCount;

    /** A delivery that waits to be acknowledged. */
    static final class Slot {
        final Delivery delivery;
        // receiver thread only
        boolean durable;

        Slot(Delivery delivery) {
            this.delivery = delivery;
        }
    }

    @Nullable
    DiskFile open(Path path) {
        return files.get(path);
    }

    DiskFile add(Path path, DiskFile file) {
        files.put(path, file);
        return file;
    }

    void syncLater(Path directory) {
        directories.add(directory);
    }

    void change(LedgerChange change) {
        flushPieces();
        changes.add(change);
    }

    void piece(long key, PieceRow row, int bodyBytes) {
        pieces.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
        bytes += bodyBytes;
        pieceCount++;
    }

    void slot(Slot slot) {
        slots.add(slot);
    }

    /** Runs after everything is durable, on the thread that made it so. */
    void afterwards(Runnable action) {
        afterwards.add(action);
    }

    /** Notes a transfer whose end is among the changes: should the batch fail, it has not ended. */
    void ends(String transfer) {
        ended.add(transfer);
    }

    List<String> ended() {
        return ended;
    }

    boolean isEmpty() {
        return slots.isEmpty() && changes.isEmpty() && pieces.isEmpty() && afterwards.isEmpty();
    }

    /** Whether it brings nothing but new pieces of transfers that go on: somebody may wait for anything else. */
    boolean isOfPieces() {
        return changes.isEmpty() && afterwards.isEmpty() && slots.size() <= pieceCount;
    }

    long bytes() {
        return bytes;
    }

    int pieces() {
        return pieceCount;
    }

    List<Slot> slots() {
        return slots;
    }

    /** Makes everything durable, in this order: bytes, names, ledger. The acknowledgement is the caller's. */
    void makeDurable(Disk disk, Ledger ledger) {
        try {
            files.values().forEach(DiskFile::force);
        } finally {
            closeFiles();
        }
        directories.forEach(disk::syncDirectory);
        flushPieces();
        if (!changes.isEmpty()) {
            Commits.await(ledger.commit(changes));
        }
        afterwards.forEach(Runnable::run);
    }

    void closeFiles() {
        files.values().forEach(DiskFile::close);
        files.clear();
    }

    private void flushPieces() {
        pieces.forEach((key, rows) -> changes.add(new LedgerChange.PutPieces(key, rows)));
        pieces.clear();
    }
}
