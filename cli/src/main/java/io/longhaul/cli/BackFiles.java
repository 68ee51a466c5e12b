package io.longhaul.cli;

import io.longhaul.gridftp.server.Logins;
import io.longhaul.gridftp.server.ServerLogins;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.Backends;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** What a back serves: to all users as the same one sees it, or to each as the user's own login does. Thread-safe. */
final class BackFiles implements AutoCloseable {
    private static final String OPTION = "--server";

    private final Backends backends;
    private final Supplier<Backend> topics;
    private final AutoCloseable opened;

    private BackFiles(Backends backends, Supplier<Backend> topics, AutoCloseable opened) {
        this.backends = backends;
        this.topics = topics;
        this.opened = opened;
    }

    /**
     * Opens what the URL of a server names; throws {@link IllegalArgumentException} for a bad one.
     *
     * @param file with logins, if users have logins of their own
     * @param owner whose files are not whole on a server
     * @param forTopics whether something of topics goes there, too
     */
    static BackFiles open(
            ServerOptions options,
            String url,
            Optional<Path> file,
            String owner,
            boolean forTopics,
            Environment environment) {
        if (file.isEmpty()) {
            Backend same = options.open(OPTION, url, owner, environment);
            return new BackFiles(user -> same, () -> same, same);
        }
        Logins logins = LoginsFile.read(file.get());
        if (forTopics && logins.others().isEmpty()) {
            throw new IllegalArgumentException(
                    "--subscribe needs a login for what no user sends: expected a default in " + file.get()
                            + ", found none");
        }
        ServerLogins server = options.open(OPTION, url, logins, owner, environment);
        return new BackFiles(server, () -> server.ofOthers().orElseThrow(), server);
    }

    /** Returns the files of each user of a front. */
    Backends backends() {
        return backends;
    }

    /** Returns where what is published goes; only of what was opened for that. */
    Backend ofTopics() {
        return topics.get();
    }

    @Override
    public void close() {
        try {
            opened.close();
        } catch (Exception e) {
            throw new IllegalStateException("a back end does not close", e);
        }
    }
}
