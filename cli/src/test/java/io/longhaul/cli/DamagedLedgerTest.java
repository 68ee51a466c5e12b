package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes that a ledger has lost are told of until somebody has dealt with it. */
class DamagedLedgerTest {
    @TempDir
    private Path home;

    @TempDir
    private Path data;

    private void loseJournal() throws IOException {
        try (Store store = Store.open(data, StoreConfig.defaults(), Disk.real())) {
            assertThat(store.findings()).isEmpty();
        }
        Files.delete(data.resolve("ledger.mv.db.journal"));
    }

    @ParameterizedTest
    @CsvSource({"receipts --verify, 5", "transfers --verify, 5", "doctor, 4"})
    void shouldFailEachTimeUntilTheNoteIsRemoved(String command, int exit) throws IOException {
        // given
        loseJournal();
        String[] words = (command + " --data " + data).split(" ");

        for (int i = 0; i < 2; i++) {
            // when
            try (TestEnvironment world = new TestEnvironment(home)) {
                int found = world.run(words);

                // then
                assertThat(found).isEqualTo(exit);
                assertThat(world.err() + " " + world.out())
                        .contains("ledger.mv.db.journal: is missing", "then remove " + data.resolve("DAMAGE"));
            }
        }

        // when
        Files.delete(data.resolve("DAMAGE"));

        // then
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run(words)).isZero();
        }
    }
}
