package io.longhaul.cli;

import io.longhaul.storage.HeldDirectory;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ends a command whose data directory is removed, moved or replaced under it, also while it has nothing to write there: its ledger
 * refuses from then on, and whoever waits for it would not hear of that.
 */
final class DataWatch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 1_000;

    private final ScheduledFuture<?> looks;

    private DataWatch(ScheduledFuture<?> looks) {
        this.looks = looks;
    }

    /** Begins to look at a directory that this process has locked. */
    static DataWatch begin(Path data, Environment environment) {
        HeldDirectory held = HeldDirectory.of(data);
        return new DataWatch(environment
                .threads()
                .scheduleWithFixedDelay(
                        () -> look(held, environment.stop()), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS));
    }

    private static void look(HeldDirectory held, StopSignal stop) {
        try {
            held.requireSame();
        } catch (StorageException e) {
            stop.fail(e);
            throw e; // there is nothing more to look at
        }
    }

    @Override
    public void close() {
        looks.cancel(false);
    }
}
