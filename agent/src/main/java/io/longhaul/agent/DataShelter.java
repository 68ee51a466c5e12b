package io.longhaul.agent;

import io.longhaul.storage.RealPath;
import java.nio.file.Path;

/** Keeps a data directory out of reach of delivered names: whoever publishes could replace the ledger or the key in it. */
final class DataShelter {
    private DataShelter() {}

    /** Refuses a directory for deliveries that the data directory is, or lies in. The other way round is harmless. */
    static void requireOutside(Path data, Path into) {
        if (RealPath.of(data).startsWith(RealPath.of(into))) {
            throw new AgentException(
                    AgentException.Code.USAGE,
                    "directory " + into + ": expected one that the data directory is not inside of, found it to hold "
                            + data + ", which delivered files could replace");
        }
    }
}
