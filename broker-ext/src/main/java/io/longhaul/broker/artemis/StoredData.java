package io.longhaul.broker.artemis;

import io.longhaul.broker.scrub.DataFiles;
import io.longhaul.broker.scrub.Scrub;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What lies in the data directory before the server loads it. */
final class StoredData {
    private static final Logger LOG = LoggerFactory.getLogger(StoredData.class);

    private StoredData() {}

    /** Names damage; throws where the server would delete messages for it. */
    static void check(ServerSettings settings) throws ServerException, IOException {
        if (settings.pair().isPresent()
                && !Pair.livesOnItsData(settings, settings.pair().get())) {
            return; // perhaps half a copy, which a new one replaces
        }
        DataFiles files = new DataFiles(
                ServerConfiguration.bindings(settings),
                ForcedStorage.BINDINGS_FILE_BYTES,
                ServerConfiguration.journal(settings),
                settings.journalFileBytes(),
                ServerConfiguration.paging(settings));
        Optional<String> fault = Scrub.bindings(files);
        if (fault.isPresent()) {
            throw damagedBindings(fault.get(), null);
        }
        for (String damage : Scrub.of(files)) {
            LOG.error("damage found: {}", damage);
        }
    }

    /** Returns the failure of a broker that does not know all its queues. */
    static ServerException damagedBindings(String fault, @Nullable Throwable cause) {
        String message =
                "bindings " + fault + "; the broker does not start, because it would lose the messages of queues"
                        + " that it does not know. Look at the disk, and restore the data directory from a backup";
        return cause == null
                ? new ServerException(ServerException.Kind.BAD_DATA, message)
                : new ServerException(ServerException.Kind.BAD_DATA, message, cause);
    }
}
