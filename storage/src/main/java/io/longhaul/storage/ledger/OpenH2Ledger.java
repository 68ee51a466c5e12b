package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerProvider;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/** Everything of one open ledger: file, database, writer. Created by the provider, closed by the store. */
final class OpenH2Ledger implements LedgerProvider.OpenLedger {
    static final String CLEAN_SETTING = "ledger.clean";

    private record Slot(long position, long key, PieceRow piece, boolean recent) {}

    private final LedgerFile file;
    private final Database database;
    private final H2Ledger ledger;
    private final GroupCommit commits;
    private final Thread thread;
    private final long recentFrom;

    private OpenH2Ledger(LedgerFile file, H2Ledger ledger, GroupCommit commits, Thread thread, long recentFrom) {
        this.file = file;
        this.database = file.database();
        this.ledger = ledger;
        this.commits = commits;
        this.thread = thread;
        this.recentFrom = recentFrom;
    }

    static OpenH2Ledger open(
            LedgerFile file,
            Path directory,
            Disk disk,
            Runnable held,
            LedgerProvider.SlotListener freed,
            LongSupplier nanoTime,
            ThreadFactory threads) {
        Database database = file.database();
        try {
            Connection connection = database.writing();
            long mark = number(connection, "SELECT COALESCE(MAX(taken), 0) FROM slot WHERE taken < " + Long.MAX_VALUE);
            boolean clean = !Database.query(
                            connection,
                            row -> true,
                            "SELECT 1 FROM setting WHERE name = ? AND content = 'true'",
                            CLEAN_SETTING)
                    .isEmpty();
            Purge purge = new Purge(connection);
            ChangeWriter writer = new ChangeWriter(
                    connection,
                    purge,
                    new HashSet<>(Database.query(
                            connection, row -> row.getLong(1), "SELECT DISTINCT piece / 4294967296 FROM slot")),
                    mark + 1);
            setClean(database, false);
            Housekeeping housekeeping = new Housekeeping(database, purge, file::writtenBytes);
            GroupCommit.Condition condition = () -> {
                held.run();
                requireSpace(directory, disk);
            };
            GroupCommit commits = new GroupCommit(database, writer, housekeeping, freed, condition, nanoTime);
            H2Ledger ledger = new H2Ledger(database, commits, lastKey(connection));
            Thread thread = threads.newThread(commits);
            thread.start();
            return new OpenH2Ledger(file, ledger, commits, thread, clean ? Long.MAX_VALUE : mark - 1);
        } catch (SQLException e) {
            throw database.failure("open", e);
        }
    }

    private static long lastKey(Connection connection) throws SQLException {
        return number(
                connection,
                "SELECT GREATEST("
                        + " COALESCE((SELECT MAX(CAST(content AS BIGINT)) FROM setting WHERE name = '"
                        + H2Ledger.LAST_KEY_SETTING + "'), 0),"
                        + " COALESCE((SELECT MAX(id) FROM transfer), 0),"
                        + " COALESCE((SELECT MAX(id) FROM piece), 0) / 4294967296,"
                        + " COALESCE((SELECT MAX(id) FROM entry), 0) / 4294967296)");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        return Database.query(connection, row -> row.getLong(1), sql).get(0);
    }

    /** Durable with the next commit that is, or with the close. */
    private static void setClean(Database database, boolean clean) throws SQLException {
        database.execute("MERGE INTO setting KEY (name) VALUES ('" + CLEAN_SETTING + "', '" + clean + "')");
        database.writing().commit();
    }

    private static void requireSpace(Path directory, Disk disk) {
        long free = disk.usableSpace(directory);
        if (free < LedgerProvider.RESERVE_BYTES) {
            throw new StorageException(
                    StorageException.Code.NO_SPACE,
                    "no space for the ledger in " + directory + ": needed " + LedgerProvider.RESERVE_BYTES
                            + " bytes, free " + free + " bytes");
        }
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public List<String> findings() {
        return file.findings();
    }

    @Override
    public void forEachSlot(LedgerProvider.SlotVisitor visitor) {
        long after = -1;
        List<Slot> page;
        do {
            page = database.query(
                    row -> new Slot(
                            row.getLong(9), Rows.key(row.getLong(1)), Rows.piece(row), row.getLong(10) >= recentFrom),
                    "SELECT p.id, p.kind, p.entry, p.file_offset, p.length, p.crc32c, p.safe, p.spool, s.spool, s.taken"
                            + " FROM slot s JOIN piece p ON p.id = s.piece WHERE s.spool > ? ORDER BY s.spool LIMIT 1000",
                    after);
            for (Slot slot : page) {
                visitor.visit(slot.position, slot.key, slot.piece, slot.recent);
                after = slot.position;
            }
        } while (!page.isEmpty());
    }

    @Override
    public List<String> verify() {
        return file.verify();
    }

    @Override
    public void close() {
        commits.stop();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            setClean(database, true);
            file.close();
        } catch (SQLException e) {
            throw database.failure("close", e);
        } catch (StorageException e) {
            // on a full disk the ledger stays as after a crash: what was promised is in the journal
            if (e.code() != StorageException.Code.NO_SPACE) {
                throw e;
            }
        } finally {
            file.abandon();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
