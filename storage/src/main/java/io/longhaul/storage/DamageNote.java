package io.longhaul.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The file {@code DAMAGE} of a store: what its ledger has lost, a line each.
 *
 * <p>Opening a damaged ledger mends it, so that it tells of the damage only once. This tells of it until somebody has dealt
 * with it and removes the file.
 */
final class DamageNote {
    private static final String NAME = "DAMAGE";

    private DamageNote() {}

    static void append(Path directory, List<String> findings, Disk disk) {
        StringBuilder lines = new StringBuilder();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        findings.forEach(finding ->
                lines.append(now).append(' ').append(finding.replace('\n', ' ')).append('\n'));
        try (DiskFile file = disk.open(directory.resolve(NAME))) {
            file.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)), file.length());
            file.force();
        }
        disk.syncDirectory(directory);
    }

    static List<String> read(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw StorageException.of("read", file, e);
        }
    }
}
