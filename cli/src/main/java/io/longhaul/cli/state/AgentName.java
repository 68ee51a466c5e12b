package io.longhaul.cli.state;

import io.longhaul.agent.DataIdentity;
import io.longhaul.storage.Disk;
import io.longhaul.storage.RealPath;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes up the name of an agent that nobody named. */
public final class AgentName {
    private static final int LONGEST_PART = 32;

    private AgentName() {}

    /**
     * Returns the name that the data directory was last used under, also by another program; for a new one a name that is the
     * same at every run and differs between users, directories and hosts.
     *
     * @param findings takes the damage that was found, and dealt with, where the ledger was asked: nobody finds it again
     */
    public static String ofPublisher(Path data, Consumer<String> findings) {
        return AgentNote.read(data)
                .map(AgentNote::name)
                .filter(name -> !name.isEmpty())
                .or(() -> inLedger(data, findings))
                .orElseGet(() -> made(data, System.getProperty("user.name", ""), host()));
    }

    /** A program that uses the SDK leaves no note. What keeps the ledger from being opened is for the command to say. */
    private static Optional<String> inLedger(Path data, Consumer<String> findings) {
        if (!Store.exists(data)) {
            return Optional.empty();
        }
        try (Store store = Store.open(data, StoreConfig.defaults(), Disk.real())) {
            store.findings().forEach(findings);
            return DataIdentity.name(store.ledger());
        } catch (StorageException e) {
            return Optional.empty();
        }
    }

    /** Returns the name of a front that nobody named; the same at every run, another for each place and host. */
    public static String ofFront(String place) {
        return "front-" + StateDirectory.tag(host() + ":" + place);
    }

    /**
     * Returns who writes for a mount of a front; the same at every run, another for each mount: two on one server would
     * take each other's unfinished files for what a killed process left.
     */
    public static String ofMount(String listen, String path) {
        return ofFront(listen + path);
    }

    static String made(Path data, String user, String host) {
        String kept = user.replaceAll("[^A-Za-z0-9_-]", "");
        String part = kept.isEmpty() ? "user" : kept.substring(0, Math.min(LONGEST_PART, kept.length()));
        return "publish-" + part + "-" + StateDirectory.tag(host + ":" + RealPath.withoutDots(data));
    }

    /** The kernel's word: no name service is asked, and no shell decides whether it is exported. */
    private static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return System.getenv().getOrDefault("HOSTNAME", "");
        }
    }
}
