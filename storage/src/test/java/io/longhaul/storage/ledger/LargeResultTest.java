package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeResultTest {
    /** How many rows for each GiB of heap H2 keeps in memory by itself. */
    private static final long ROWS_PER_GIB = 40_000;

    @TempDir
    Path dir;

    @Test
    void shouldWriteNoTemporaryFilesWhateverTheHeap() {
        // given
        Path file = dir.resolve("ledger.mv.db");
        BlockFile.create(file, Disk.real(), 1);
        long rows = ((Runtime.getRuntime().maxMemory() >> 30) + 1) * ROWS_PER_GIB + 1;
        List<Path> before = temporaryFiles();
        try (LedgerFile ledger =
                LedgerFile.openDatabase(file, BlockFile.open(file, Disk.real()).file(), Schema.VERSION, List.of())) {
            // when
            List<Boolean> found = ledger.database()
                    .query(
                            row -> row.getLong(1) > 1 || before.containsAll(temporaryFiles()),
                            "SELECT x FROM SYSTEM_RANGE(1, ?)",
                            rows);

            // then
            assertThat(found).hasSize((int) rows).doesNotContain(false);
        }
    }

    private static List<Path> temporaryFiles() {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(path -> path.getFileName().toString().startsWith("h2tmp"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
