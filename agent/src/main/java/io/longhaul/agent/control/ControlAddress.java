package io.longhaul.agent.control;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The address of the control socket of a data directory, for as long as it takes to bind or to connect.
 *
 * <p>A Unix domain socket's path has 100 bytes or little more. A longer one is reached through a symbolic link in a
 * private temporary directory, which is gone with {@link #close}; the socket itself stays where it is.
 */
public final class ControlAddress implements AutoCloseable {
    private static final String SOCKET = "control.sock";
    private static final int MAX_PATH_BYTES = 100;

    private final Path shortest;
    private final boolean linked;

    private ControlAddress(Path shortest, boolean linked) {
        this.shortest = shortest;
        this.linked = linked;
    }

    /** Returns where the socket of a data directory is. */
    public static Path path(Path data) {
        return data.toAbsolutePath().resolve(SOCKET);
    }

    /** Returns the address under which the socket can be bound or reached. */
    public static ControlAddress of(Path data) throws IOException {
        Path directory = data.toAbsolutePath();
        if (path(data).toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_BYTES) {
            return new ControlAddress(directory, false);
        }
        Path link = Files.createTempDirectory("longhaul").resolve("data");
        return new ControlAddress(Files.createSymbolicLink(link, directory), true);
    }

    /** Returns the address itself. */
    public UnixDomainSocketAddress socket() {
        return UnixDomainSocketAddress.of(shortest.resolve(SOCKET));
    }

    @Override
    public void close() throws IOException {
        if (linked) {
            Files.deleteIfExists(shortest);
            Files.deleteIfExists(Objects.requireNonNull(shortest.getParent()));
        }
    }
}
