package io.longhaul.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * What one agent keeps in one directory: its ledger and its spool.
 *
 * <p>One process has the directory open at a time. All methods may be called from any thread; {@link #close} ends what
 * was handed over before and may be called twice.
 */
public final class Store implements AutoCloseable {
    private static final String VERSION_PREFIX = "longhaul store ";
    private static final String VERSION_LINE = VERSION_PREFIX + "1\n";
    private static final int VERSION_LIMIT = 64;

    private final Path directory;
    private final Disk disk;
    private final DirectoryLock lock;
    private final LedgerProvider.OpenLedger ledger;
    private final SegmentedSpool spool;
    private final List<String> findings;
    private boolean closed; // guarded by this

    private Store(
            Path directory,
            Disk disk,
            DirectoryLock lock,
            LedgerProvider.OpenLedger ledger,
            SegmentedSpool spool,
            List<String> findings) {
        this.directory = directory;
        this.disk = disk;
        this.lock = lock;
        this.ledger = ledger;
        this.spool = spool;
        this.findings = findings;
    }

    /**
     * Opens the store in the directory, creating it when there is none.
     *
     * <p>Damage that could be dealt with is named by {@link #findings()}.
     *
     * @throws StorageException IN_USE when a process has it open (the message names its id), VERSION when a newer
     *     Longhaul wrote it, DAMAGED when nothing can be recovered, NO_SPACE, IO
     */
    public static Store open(Path dir, StoreConfig config, Disk disk) {
        Path directory = DataDirectory.make(dir, disk);
        DirectoryLock lock = DirectoryLock.take(directory);
        LedgerProvider.OpenLedger ledger = null;
        SegmentedSpool spool = null;
        try {
            boolean fresh = !exists(directory);
            boolean cutOff = !fresh && isVersionCutOff(directory, disk);
            spool = SegmentedSpool.open(DataDirectory.resolved(spoolOf(directory)), config, disk);
            SegmentedSpool slots = spool;
            ledger = provider()
                    .open(
                            directory,
                            disk,
                            fresh,
                            slots::free,
                            lost -> DamageNote.append(directory, lost, disk),
                            lock::requireHeld);
            DamageNote.remember(directory, ledger.ledger());
            List<String> findings = new ArrayList<>(ledger.findings());
            findings.addAll(SpoolCheck.onOpen(ledger, spool));
            spool.dropUnused();
            findings.addAll(spool.findings());
            if (cutOff) {
                findings.add(
                        directory.resolve("VERSION") + ": is cut off; the ledger is of this version, written anew");
            }
            if (fresh || cutOff) {
                writeVersion(directory, disk);
            }
            return new Store(directory, disk, lock, ledger, spool, List.copyOf(findings));
        } catch (RuntimeException | Error e) {
            closeAll(e, ledger, spool, lock);
            throw e;
        }
    }

    /** Loads what {@link #open} needs, for who has something else to do before; logs nothing. */
    public static void prepare() {
        provider().prepare();
    }

    /** Whether the directory holds a store. */
    public static boolean exists(Path dir) {
        return Files.isRegularFile(dir.resolve("VERSION"));
    }

    /**
     * Returns a line for each damage that has cost a ledger in the directory what was durable, receipts and transfers among it,
     * when it was opened at some time; empty when there was none. They stay until {@link #damageFile} is removed.
     *
     * @throws StorageException IO when they cannot be read
     */
    public static List<String> damage(Path dir) {
        return DamageNote.read(dir);
    }

    /** Returns the file that tells of damage, for a person to remove. */
    public static Path damageFile(Path dir) {
        return DamageNote.file(dir);
    }

    public Ledger ledger() {
        return ledger.ledger();
    }

    public Spool spool() {
        return spool;
    }

    public Disk disk() {
        return disk;
    }

    /** Returns the real path of the directory. */
    public Path directory() {
        return directory;
    }

    /** Returns the damage that was found on open, each with what became of it; empty when all was well. */
    public List<String> findings() {
        return findings;
    }

    /**
     * Checks the whole ledger and all bodies in the spool against their checksums, while the store is in use.
     *
     * <p>Pieces with a damaged body are forgotten, so that they count as missing. Reads everything: slow.
     *
     * @return what is damaged, named; empty when all is well
     */
    public List<String> verify() {
        List<String> damage = new ArrayList<>(ledger.verify());
        damage.addAll(SpoolCheck.all(ledger, spool));
        return List.copyOf(damage);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        RuntimeException failure = closeAll(null, ledger, spool, lock);
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes each, even if one fails; returns the first failure, or adds the failures to the given one. */
    private static @Nullable RuntimeException closeAll(@Nullable Throwable given, @Nullable AutoCloseable... parts) {
        RuntimeException first = null;
        for (AutoCloseable part : parts) {
            try {
                if (part != null) {
                    part.close();
                }
            } catch (Exception e) {
                if (given != null) {
                    given.addSuppressed(e);
                } else if (first == null) {
                    first = e instanceof RuntimeException unchecked
                            ? unchecked
                            : new StorageException(StorageException.Code.IO, "closing the store failed", e);
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }

    private static LedgerProvider provider() {
        return ServiceLoader.load(LedgerProvider.class, Store.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "META-INF/services/" + LedgerProvider.class.getName() + " is missing from the class path"));
    }

    /** Returns where the spool of a data directory is, which may be a link to a directory elsewhere. */
    public static Path spoolOf(Path directory) {
        return directory.resolve("spool");
    }

    /** Last of all, so that from then on a ledger that is missing is known to be lost. */
    private static void writeVersion(Path directory, Disk disk) {
        Path file = directory.resolve("VERSION.new");
        try (DiskFile written = disk.open(file)) {
            written.setLength(0);
            written.write(ByteBuffer.wrap(VERSION_LINE.getBytes(StandardCharsets.US_ASCII)), 0);
            written.force();
        }
        disk.rename(file, directory.resolve("VERSION"));
        disk.syncDirectory(directory);
    }

    /** Returns whether only the start of the line is there: the ledger, which has versions of its own, is to tell. */
    private static boolean isVersionCutOff(Path directory, Disk disk) {
        Path file = directory.resolve("VERSION");
        ByteBuffer content = ByteBuffer.allocate(VERSION_LIMIT);
        try (DiskFile read = disk.openForReading(file)) {
            read.read(content, 0);
        }
        String found = new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII);
        if (!VERSION_LINE.startsWith(found)) {
            boolean other = found.startsWith(VERSION_PREFIX);
            throw new StorageException(
                    other ? StorageException.Code.VERSION : StorageException.Code.DAMAGED,
                    file + ": expected \"" + VERSION_LINE.trim() + "\", found \"" + found.trim() + "\""
                            + (other ? ": written by another version of Longhaul" : ""));
        }
        return !found.equals(VERSION_LINE);
    }
}
