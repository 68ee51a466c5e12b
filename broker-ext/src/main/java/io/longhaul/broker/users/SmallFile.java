package io.longhaul.broker.users;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** A file that people write or name: users, options, a password. Never read further than one of these can be long. */
public final class SmallFile {
    /** Longest that is read. */
    public static final int MOST_BYTES = 16 * 1024 * 1024;

    private SmallFile() {}

    /**
     * Returns its text.
     *
     * @throws CharacterCodingException for what is not UTF-8
     * @throws IOException also for what is too long, as a device is, and for a pipe that has a name
     */
    public static String text(Path file) throws IOException {
        if (isNamedPipe(file)) {
            throw new IOException("expected a file, found a pipe that nobody may ever write to");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IOException("expected at most " + MOST_BYTES + " bytes, found more");
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** Whoever opens one may wait for ever; devices do not, nor what a shell has opened already, as for {@code <(command)}. */
    private static boolean isNamedPipe(Path file) throws IOException {
        Path path = file.toAbsolutePath().normalize();
        return !path.startsWith("/dev")
                && !path.startsWith("/proc")
                && Files.readAttributes(file, BasicFileAttributes.class).isOther();
    }
}
