package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerProvider;
import java.nio.file.Path;
import java.security.SecureRandom;

/** Found by {@link io.longhaul.storage.Store} as a service. */
public final class H2LedgerProvider implements LedgerProvider {

    @Override
    public OpenLedger open(Path directory, Disk disk, boolean create, SlotListener freed, Runnable held) {
        SecureRandom random = new SecureRandom();
        LedgerFile file = LedgerFile.open(directory, disk, create, random::nextLong);
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
