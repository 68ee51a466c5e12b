package io.longhaul.broker.artemis;

import io.longhaul.broker.scrub.DataFiles;
import io.longhaul.broker.scrub.Scrub;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        List<String> gone = gone(ServerConfiguration.bindings(settings));
        if (!gone.isEmpty()) {
            throw damagedBindings(gone.get(0), null);
        }
        List<String> damages = new ArrayList<>(gone(ServerConfiguration.journal(settings)));
        damages.addAll(Scrub.of(files));
        damages.forEach(damage -> LOG.error("damage found: {}", damage));
    }

    /** A note that is damaged does not keep what it is about from being used. */
    private static List<String> gone(Path directory) {
        try {
            return KnownFiles.gone(directory);
        } catch (IOException e) {
            LOG.error("damage found: {}; whether files of {} are gone is not known", e.getMessage(), directory);
            return List.of();
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
