package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerProvider;
import java.nio.file.Path;

/** Found by {@link io.longhaul.storage.Store} as a service. */
public final class H2LedgerProvider implements LedgerProvider {

    @Override
    public OpenLedger open(Path directory, Disk disk, SlotListener freed) {
        return OpenH2Ledger.open(directory, disk, freed, System::nanoTime, runnable -> {
            Thread thread = new Thread(runnable, "storage-ledger-0");
            thread.setDaemon(true);
            return thread;
        });
    }
}
