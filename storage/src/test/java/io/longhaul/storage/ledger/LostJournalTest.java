package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.lang.reflect.Proxy;
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
import org.junit.jupiter.params.provider.ValueSource;

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
        kill(temporary.resolve("young"), 1);
    }

    private void kill(Path young, int commits) throws IOException {
        killed = young.resolveSibling("killed-" + young.getFileName());
        try (Store store = Store.open(young, CONFIG, Disk.real())) {
            for (int i = 0; i < commits; i++) {
                store.ledger()
                        .commit(List.of(
                                new LedgerChange.PutSetting("promise", i == commits - 1 ? "kept" : "given " + i)))
                        .join();
            }
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

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.2, 0.4, 0.6, 0.8})
    void shouldTellOfADamagedRecordOnce(double where) throws IOException {
        // given
        kill(temporary.resolve("busy"), 20);
        byte[] bytes = Files.readAllBytes(journal());
        int block = (int) (bytes.length * where) / Block.BYTES * Block.BYTES;
        bytes[block + 4] ^= 1;
        Files.write(journal(), bytes);

        // when
        try (Store store = Store.open(killed, CONFIG, Disk.real())) {
            assertThat(store.findings()).hasSizeLessThan(3);
        }

        // then
        for (int i = 0; i < 5; i++) {
            try (Store store = Store.open(killed, CONFIG, Disk.real())) {
                assertThat(store.findings()).isEmpty();
                String kept = "kept " + i;
                store.ledger()
                        .commit(List.of(new LedgerChange.PutSetting("again", kept)))
                        .join();
                assertThat(store.ledger().setting("again")).contains(kept);
            }
        }
    }

    @Test
    void shouldNameTheLossAgainWhenItCouldNotBeNoted() throws IOException {
        // given
        Files.delete(journal());
        Disk full = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, arguments) -> {
                    if (method.getName().equals("open")
                            && String.valueOf(arguments[0]).endsWith("DAMAGE")) {
                        throw new StorageException(StorageException.Code.NO_SPACE, "disk is full");
                    }
                    return method.invoke(Disk.real(), arguments);
                });
        assertThatThrownBy(() -> Store.open(killed, CONFIG, full)).hasMessage("disk is full");

        // when
        try (Store store = Store.open(killed, CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).singleElement().asString().contains("is lost");
            assertThat(Store.damage(killed)).hasSize(1);
            assertThat(store.ledger().setting(Ledger.LOST_SETTING)).isPresent();
        }
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
