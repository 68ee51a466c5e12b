package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerProvider;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.h2.Driver;

/** Found by {@link io.longhaul.storage.Store} as a service. */
public final class H2LedgerProvider implements LedgerProvider {

    /** A database in memory, which nobody else sees, is of the same classes. */
    @Override
    public void prepare() {
        try (Connection database = new Driver().connect("jdbc:h2:mem:;DB_CLOSE_ON_EXIT=FALSE", new Properties());
                Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS prepared (id BIGINT PRIMARY KEY)");
        } catch (SQLException e) {
            throw new StorageException(StorageException.Code.IO, "prepare for a ledger: " + e.getMessage(), e);
        }
    }

    @Override
    public OpenLedger open(
            Path directory, Disk disk, boolean create, SlotListener freed, Consumer<List<String>> lost, Runnable held) {
        SecureRandom random = new SecureRandom();
        LedgerFile file = LedgerFile.open(directory, disk, create, random::nextLong, lost);
        try {
            return OpenH2Ledger.open(file, directory, disk, held, freed, System::nanoTime, runnable -> {
                Thread thread = new Thread(runnable, "storage-ledger-0");
                thread.setDaemon(true);
                return thread;
            });
        } catch (RuntimeException e) {
            file.abandon();
            throw e;
        }
    }
}
