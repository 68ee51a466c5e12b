package io.longhaul.agent;

import io.longhaul.storage.RealPath;
import io.longhaul.storage.Store;
import java.nio.file.Path;

/** Keeps a data directory out of reach of delivered names: whoever publishes could replace the ledger or the key in it. */
final class DataShelter {
    private DataShelter() {}

    /**
     * Refuses a directory for deliveries that the data directory or its spool, which may be a link, is, or lies in, and one in
     * the spool. Elsewhere in the data directory, as in an archive, they are harmless.
     */
    static void requireOutside(Path data, Path into) {
        Path own = RealPath.of(data);
        Path spool = RealPath.of(Store.spoolOf(data));
        Path target = RealPath.of(into);
        if (own.startsWith(target) || spool.startsWith(target) || target.startsWith(spool)) {
            throw new AgentException(
                    AgentException.Code.USAGE,
                    "directory " + into + ": expected one that neither holds the data directory " + data
                            + " nor lies in its spool, whose files delivered ones could replace");
        }
    }
}
