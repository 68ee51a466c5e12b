package io.longhaul.storage.ledger;

import java.sql.SQLException;
import java.util.function.LongSupplier;

/** A little work that nobody waits for, between two groups. For the writer's thread only. */
final class Housekeeping {
    private static final long COMPACTION_EVERY_BYTES = 8L * 1024 * 1024;
    private static final int COMPACTION_BYTES = 2 * 1024 * 1024;

    private final Database database;
    private final Purge purge;
    private final LongSupplier writtenBytes;
    private long writtenAtCompaction;

    /**
     * Creates it.
     *
     * @param writtenBytes what H2 has written to its file since that was opened
     */
    Housekeeping(Database database, Purge purge, LongSupplier writtenBytes) {
        this.database = database;
        this.purge = purge;
        this.writtenBytes = writtenBytes;
    }

    /** Removes rows of deleted transfers, and keeps the file from being mostly holes; returns whether rows changed. */
    boolean step() throws SQLException {
        boolean changed = purge.step();
        if (writtenBytes.getAsLong() - writtenAtCompaction >= COMPACTION_EVERY_BYTES) {
            database.compact(COMPACTION_BYTES);
            writtenAtCompaction = writtenBytes.getAsLong();
        }
        return changed;
    }
}
