package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A killed process leaves what it has just committed in the journal only; without that the ledger must say so. */
class LostJournalTest {
    private static final StoreConfig CONFIG = new StoreConfig(4096, 128 * 1024, Long.MAX_VALUE, 0);

    @TempDir
    Path temporary;

    private Path killed;

    enum Loss {
        DELETED {
            @Override
            void strike(Path journal) throws IOException {
                Files.delete(journal);
            }
        },
        EMPTIED {
            @Override
            void strike(Path journal) throws IOException {
                Files.write(journal, new byte[0]);
            }
        },
        ZEROED {
            @Override
            void strike(Path journal) throws IOException {
                Files.write(journal, new byte[(int) Files.size(journal)]);
            }
        },
        OVERWRITTEN {
            @Override
            void strike(Path journal) throws IOException {
                byte[] garbage = new byte[(int) Files.size(journal)];
                new Random(1).nextBytes(garbage);
                Files.write(journal, garbage);
            }
        };

        abstract void strike(Path journal) throws IOException;
    }

    /** A young store as it lies on disk while it is open. */
    @BeforeEach
    void killYoungStore() throws IOException {
        Path young = temporary.resolve("young");
        killed = temporary.resolve("killed");
        try (Store store = Store.open(young, CONFIG, Disk.real())) {
            store.ledger()
                    .commit(List.of(new LedgerChange.PutSetting("promise", "kept")))
                    .join();
            try (Stream<Path> files = Files.walk(young)) {
                for (Path file : files.toList()) {
                    Files.copy(file, killed.resolve(young.relativize(file).toString()));
                }
            }
        }
    }

    private Path journal() {
        return killed.resolve("ledger.mv.db.journal");
    }

    @Test
    void shouldFindEverythingAndNothingWrongWhenTheJournalIsThere() {
        try (Store store = Store.open(killed, CONFIG, Disk.real())) {
            assertThat(store.ledger().setting("promise")).contains("kept");
            assertThat(store.findings()).isEmpty();
        }
        assertThat(Store.damage(killed)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldNameTheLossWhenTheJournalIsGone(Loss loss) throws IOException {
        // given
        loss.strike(journal());

        // when
        try (Store store = Store.open(killed, CONFIG, Disk.real())) {
            // then
            assertThat(store.findings())
                    .singleElement()
                    .asString()
                    .contains("ledger.mv.db.journal", "since the last checkpoint is lost");
        }
        try (Store again = Store.open(killed, CONFIG, Disk.real())) {
            assertThat(again.findings()).isEmpty();
        }
        // what was found is not used up by looking
        assertThat(Store.damage(killed)).singleElement().asString().contains("since the last checkpoint is lost");
    }

    @Test
    void shouldRefuseTheStoreWhenFileAndJournalHoldNothing() throws IOException {
        // given
        Path ledger = killed.resolve("ledger.mv.db");
        BlockFile.create(ledger, Disk.real(), 7);
        Files.delete(journal());

        // when, then
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Store.open(killed, CONFIG, Disk.real()))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.DAMAGED))
                    .hasMessageContaining(ledger.toString())
                    .hasMessageContaining("found nothing in it");
        }
    }
}
