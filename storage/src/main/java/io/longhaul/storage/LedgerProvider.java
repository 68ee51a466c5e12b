package io.longhaul.storage;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Opens the ledger for a {@link Store}; found as a service, so that this package does not know the database.
 *
 * <p>Not for users of the module.
 */
public interface LedgerProvider {
    /** A ledger takes no commit when less than this is free where it lies. */
    long RESERVE_BYTES = 4L * 1024 * 1024;

    /**
     * Opens the ledger in the directory, or creates it, and makes its files' names durable.
     *
     * @param create whether there may be no ledger yet; else its absence is damage
     * @param freed told, on the ledger's thread, the spool positions that no row names any more, once that is durable
     * @param lost told what was durable and is gone, before the ledger is mended and can tell of it no more
     * @param held throws when nothing may be committed any more, since the directory is another's
     */
    OpenLedger open(
            Path directory, Disk disk, boolean create, SlotListener freed, Consumer<List<String>> lost, Runnable held);

    /** Loads what opening a ledger needs, without one. */
    void prepare();

    /** Told which spool positions have become free. */
    interface SlotListener {
        void freed(List<Long> positions);
    }

    /** Told a spooled piece. */
    interface SlotVisitor {
        void visit(long position, long key, PieceRow piece, boolean recent);
    }

    /** A ledger with what only its store may do. */
    interface OpenLedger extends AutoCloseable {

        Ledger ledger();

        /** Damage found while opening, named, and what became of it. */
        List<String> findings();

        /**
         * Calls back for every piece that lies in the spool.
         *
         * <p>"Recent" are those committed in the last while before a crash; none after a clean close.
         */
        void forEachSlot(SlotVisitor visitor);

        /** Checks everything against its checksum; returns what is damaged, named. */
        List<String> verify();

        /** Commits what was handed over, then closes. */
        @Override
        void close();
    }
}
