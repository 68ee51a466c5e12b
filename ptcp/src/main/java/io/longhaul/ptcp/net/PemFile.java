package io.longhaul.ptcp.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with certificates or keys. TLS reads whatever it is given to its end, which a device does not have. */
public final class PemFile {
    private static final long MOST_BYTES = 16L * 1024 * 1024;

    private PemFile() {}

    /** Returns the file; throws {@link IllegalArgumentException} when there is none, or something that cannot be one. */
    public static Path require(Path file) {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException(file + ": expected a PEM file, found none");
        }
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(file + ": expected a PEM file, found something else than a file");
        }
        long bytes = file.toFile().length();
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    file + ": expected a PEM file of at most " + MOST_BYTES + " bytes, found " + bytes);
        }
        return file;
    }

    /** Returns what is in it; throws {@link IllegalArgumentException} as {@link #require}. */
    public static String text(Path file) throws IOException {
        return Files.readString(require(file), StandardCharsets.ISO_8859_1);
    }
}
