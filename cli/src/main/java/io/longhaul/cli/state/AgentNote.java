package io.longhaul.cli.state;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * Whose data directory this is and which broker it last used, so that {@code resume} and {@code cancel} need not be
 * told again. A convenience: nothing depends on it, it holds no secret, and it may be lost.
 */
public record AgentNote(String name, String broker, String user) {
    private static final String FILE = "agent.properties";

    /** Reads the note of a data directory, if there is one. */
    public static Optional<AgentNote> read(Path data) {
        Path file = data.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty(); // a damaged one is as good as none
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
        return Optional.of(new AgentNote(
                properties.getProperty("name", ""),
                properties.getProperty("broker", ""),
                properties.getProperty("user", "")));
    }

    /** Replaces the note of a data directory. */
    public void write(Path data) {
        Properties properties = new Properties();
        properties.setProperty("name", name);
        properties.setProperty("broker", broker);
        properties.setProperty("user", user);
        Path file = data.resolve(FILE);
        Path fresh = data.resolve(FILE + ".new");
        try {
            try (Writer writer = Files.newBufferedWriter(fresh)) {
                properties.store(writer, "The agent that owns this directory; written at each start.");
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be written", e);
        }
    }
}
