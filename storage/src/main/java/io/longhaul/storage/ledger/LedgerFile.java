package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The block file of a ledger with its database, of the newest schema; mended or salvaged when it was damaged. */
final class LedgerFile implements AutoCloseable {
    private static final String NAME = "ledger.mv.db";

    private final BlockFile blocks;
    private final String name;
    private final Database database;
    private final List<String> findings;
    private boolean closed;

    private LedgerFile(BlockFile blocks, String name, Database database, List<String> findings) {
        this.blocks = blocks;
        this.name = name;
        this.database = database;
        this.findings = findings;
    }

    /**
     * Opens the ledger of a store.
     *
     * @param create whether there may be none yet; else its absence is damage
     * @param ids source of random numbers that name a new file and a damaged one
     * @param lost told what was durable and is gone, before the file is mended and can tell of it no more
     */
    static LedgerFile open(Path directory, Disk disk, boolean create, LongSupplier ids, Consumer<List<String>> lost) {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            if (!create) {
                throw new StorageException(
                        StorageException.Code.DAMAGED,
                        file + ": is missing from the store; put it back, or remove " + directory
                                + " to begin without what it knew");
            }
            BlockFile.create(file, disk, ids.getAsLong());
        }
        Recovered recovered = BlockFile.open(file, disk, BlockFile.JOURNAL_BYTES, lost);
        List<String> findings = new ArrayList<>(recovered.findings());
        if (!create && recovered.file().length() == 0) {
            recovered.file().abandon();
            throw new StorageException(
                    StorageException.Code.DAMAGED,
                    file + ": expected the ledger of the store, found nothing in it, nor in its journal "
                            + BlockFile.journalOf(file) + "; put them back, or remove " + directory
                            + " to begin without what they knew");
        }
        if (!recovered.damaged()) {
            try {
                LedgerFile opened = openDatabase(file, recovered.file(), Schema.VERSION, findings);
                if (create) {
                    opened.settle();
                }
                return opened;
            } catch (StorageException e) {
                if (e.code() != StorageException.Code.DAMAGED) {
                    throw e;
                }
                findings.add(e.getMessage());
                recovered = BlockFile.open(file, disk);
            }
        }
        try (BlockFile damaged = recovered.file()) {
            findings.addAll(Salvage.run(directory, file, damaged, disk, ids, lost));
        }
        return openDatabase(file, BlockFile.open(file, disk).file(), Schema.VERSION, findings);
    }

    /** Opens the database in a block file, of the given schema version; closes the file when that fails. */
    static LedgerFile openDatabase(Path file, BlockFile blocks, int schema, List<String> findings) {
        String name = BlockFilePath.register(blocks);
        Database database = null;
        try {
            database = Database.open(file, name);
            Schema.migrate(database, file, schema);
            return new LedgerFile(blocks, name, database, List.copyOf(findings));
        } catch (SQLException | RuntimeException e) {
            if (database != null) {
                database.abandon();
            }
            BlockFilePath.unregister(name);
            blocks.abandon();
            throw e instanceof StorageException storage ? storage : Database.failure(file, "open", e);
        }
    }

    /** From here on a journal that is missing or damaged is known to be: the file itself says that there was one. */
    private void settle() {
        try {
            database.sync();
            blocks.force();
            blocks.checkpoint();
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    Database database() {
        return database;
    }

    /** Damage found while opening, and what became of it. */
    List<String> findings() {
        return findings;
    }

    /** Returns the bytes that H2 has written since the file was opened. */
    long writtenBytes() {
        return blocks.writtenBytes();
    }

    List<String> verify() {
        return blocks.verify();
    }

    /** Closes the database, then its file: everything is in its place and durable. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            database.close();
            blocks.close();
        } finally {
            BlockFilePath.unregister(name);
            blocks.abandon();
        }
    }

    /** Closes without writing any more. */
    void abandon() {
        if (closed) {
            return;
        }
        closed = true;
        database.abandon();
        BlockFilePath.unregister(name);
        blocks.abandon();
    }
}
