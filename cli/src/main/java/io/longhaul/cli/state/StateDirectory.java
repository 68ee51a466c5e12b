package io.longhaul.cli.state;

import io.longhaul.storage.Store;
import io.longhaul.wire.Digests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where data directories go that nobody named: {@code $XDG_STATE_HOME/longhaul}, else {@code ~/.local/state/longhaul}. */
public final class StateDirectory {
    private static final int TAG_BYTES = 4;

    private final Path root;

    private StateDirectory(Path root) {
        this.root = root;
    }

    /**
     * Returns the state directory of a user with that environment; a relative {@code XDG_STATE_HOME} is ignored. A home that
     * is none, as Java's {@code ?} for a user whom the system does not know, would be a directory of wherever one is.
     */
    public static StateDirectory of(Map<String, String> environment, String home) {
        String xdg = environment.getOrDefault("XDG_STATE_HOME", "");
        Path base = !xdg.isEmpty() && Path.of(xdg).isAbsolute() ? Path.of(xdg) : Path.of(home, ".local", "state");
        if (!base.isAbsolute()) {
            throw new IllegalArgumentException("home directory: expected an absolute path, found '" + home
                    + "'; set HOME or XDG_STATE_HOME, or say where with --data or --dir");
        }
        return new StateDirectory(base.resolve("longhaul"));
    }

    /** Returns the data directory of an agent of that name. */
    public Path ofAgent(String name) {
        return root.resolve(name);
    }

    /**
     * Returns the data directory of publications to a topic through a broker.
     *
     * <p>One for each pair: what is safe at one broker is not safe at another, and the same command finds its own again.
     */
    public Path ofPublisher(String topic, String broker) {
        return root.resolve("publish-" + topic + "-" + tag(broker));
    }

    /** Returns the directory that all of them lie in. */
    public Path root() {
        return root;
    }

    public Path quickstart() {
        return root.resolve("quickstart");
    }

    /** Returns the data directories that are there, by name. */
    public List<Path> existing() {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(root)) {
            return children.filter(Store::exists).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(root + ": cannot be listed", e);
        }
    }

    /** Returns eight hexadecimal digits that stand for a text. */
    public static String tag(String text) {
        byte[] digest = Digests.sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, TAG_BYTES);
    }
}
