package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerFailureTest {
    private static final StoreConfig CONFIG = new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0);

    @TempDir
    Path dir;

    private static List<LedgerChange> setting(String name) {
        return List.of(new LedgerChange.PutSetting(name, "1"));
    }

    @Test
    void shouldRefuseWhenDiskIsFullAndGoOnWhenSpaceReturns() {
        // given
        FailingDisk disk = new FailingDisk(Disk.real());
        try (Store store = Store.open(dir, CONFIG, disk)) {
            store.ledger().commit(setting("before")).join();
            disk.full(true);

            // when, then
            assertThatThrownBy(() -> store.ledger().commit(setting("full")).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE))
                    .hasMessageContaining(dir.toString())
                    .hasMessageContaining("needed")
                    .hasMessageContaining("free 0");
            assertThat(store.ledger().setting("full")).isEmpty();
            disk.full(false);
            store.ledger().commit(setting("after")).join();
        }
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().setting("before")).isPresent();
            assertThat(store.ledger().setting("full")).isEmpty();
            assertThat(store.ledger().setting("after")).isPresent();
        }
    }

    @Test
    void shouldFailWhatASyncFailedForAndWriteItAnewWithTheNext() {
        // given
        FailingDisk disk = new FailingDisk(Disk.real());
        try (Store store = Store.open(dir, CONFIG, disk)) {
            // when
            disk.failForces(1);
            assertThatThrownBy(() -> store.ledger().commit(setting("a")).join())
                    .hasCauseInstanceOf(StorageException.class);

            // then
            store.ledger().commit(setting("b")).join();
            assertThat(store.ledger().setting("b")).isPresent();
        }
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().setting("b")).isPresent();
        }
    }
}
