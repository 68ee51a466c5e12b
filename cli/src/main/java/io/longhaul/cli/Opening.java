package io.longhaul.cli;

import io.longhaul.cli.state.Footprint;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.util.function.Supplier;

/** The opening of what makes a data directory and connects. */
final class Opening {
    private Opening() {}

    /**
     * Opens it on a thread of the environment, so that a request to stop need not wait for the broker. What is refused, or
     * does not reach the broker, leaves nothing on disk that was not there before.
     *
     * @param footprint of the data directory
     */
    static <T> T of(Supplier<T> opener, String broker, Footprint footprint, Environment environment) {
        try {
            return environment.unlessStopped("stopped while connecting to " + broker, opener);
        } catch (RuntimeException failure) {
            int exit = ExitCodes.of(failure);
            boolean refused = exit == ExitCodes.REFUSED && !isInUse(failure);
            if (refused || exit == ExitCodes.UNREACHABLE || exit == ExitCodes.USAGE) {
                footprint.undo(Disk.real());
            }
            throw failure;
        }
    }

    /** A directory in use was made by whoever uses it, even when it was missing a moment ago. */
    private static boolean isInUse(Throwable failure) {
        return failure.getCause() instanceof StorageException store && store.code() == StorageException.Code.IN_USE;
    }
}
