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
 * The file {@code DAMAGE} of a store: what was found when its ledger had lost what was durable, a line each.
 *
 * <p>Opening a damaged ledger mends it, so that it tells of the damage only once. This is written before that, and tells of it
 * until somebody has dealt with it and removes the file. That its agent has to deal with it, too, is in the ledger.
 */
final class DamageNote {
    private static final String NAME = "DAMAGE";

    private DamageNote() {}

    static Path file(Path directory) {
        return directory.resolve(NAME);
    }

    static void append(Path directory, List<String> findings, Disk disk) {
        StringBuilder lines = new StringBuilder();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        findings.forEach(finding ->
                lines.append(now).append(' ').append(finding.replace('\n', ' ')).append('\n'));
        try (DiskFile file = disk.open(file(directory))) {
            file.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)), file.length());
            file.force();
        }
        disk.syncDirectory(directory);
    }

    /** Has the ledger know of a note that it does not know yet, whoever removes the file then. */
    static void remember(Path directory, Ledger ledger) {
        String note = String.join("\n", read(directory));
        if (!note.isEmpty()
                && !ledger.setting(Ledger.DAMAGE_SETTING).filter(note::equals).isPresent()) {
            ledger.commit(List.of(
                            new LedgerChange.PutSetting(Ledger.DAMAGE_SETTING, note),
                            new LedgerChange.PutSetting(Ledger.LOST_SETTING, "true")))
                    .join();
        }
    }

    /** Somebody may have written in it, whatever that is. */
    static List<String> read(Path directory) {
        try {
            return new String(Files.readAllBytes(file(directory)), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw StorageException.of("read", file(directory), e);
        }
    }
}
