package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.ledger.H2LedgerProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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

    /** What a quota leaves is not told beforehand, so H2 meets it in the middle of its writes. */
    @Test
    void shouldRefuseWhenTheQuotaEndsInTheMiddleOfACommitAndGoOnWhenThereIsRoom() {
        // given
        FailingDisk disk = new FailingDisk(Disk.real());
        String mebibyte = "x".repeat(1 << 20);
        List<LedgerChange> more = IntStream.range(0, 20)
                .<LedgerChange>mapToObj(i -> new LedgerChange.PutSetting("big" + i, mebibyte + i))
                .toList();
        try (Store store = Store.open(dir, CONFIG, disk)) {
            store.ledger().commit(setting("before")).join();
            disk.overQuota(true);

            // when, then
            assertThatThrownBy(() -> store.ledger().commit(more).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE))
                    .hasMessageContaining(dir.toString());
            assertThat(store.ledger().setting("before")).isPresent();
            disk.overQuota(false);
            store.ledger().commit(more).join();
        }
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().setting("before")).isPresent();
            assertThat(store.ledger().setting("big19"))
                    .hasValueSatisfying(value -> assertThat(value).hasSize(mebibyte.length() + 2));
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

    @Test
    void shouldAnswerEverybodyWhenWhoIsToldOfFreeSlotsMeetsAnErrorOfTheMachine() {
        // given
        LedgerProvider.SlotListener hungry = positions -> {
            throw new OutOfMemoryError("expected by the test");
        };
        try (LedgerProvider.OpenLedger open =
                new H2LedgerProvider().open(dir, Disk.real(), true, hungry, lost -> {}, () -> {})) {
            Ledger ledger = open.ledger();
            long key = ledger.newKey();
            ledger.commit(List.of(
                            new LedgerChange.PutTransfer(Samples.outgoing(key, "a")),
                            new LedgerChange.PutPieces(key, List.of(Samples.spooled(0, new byte[10], 0)))))
                    .join();

            // when
            CompletableFuture<Void> refused = ledger.commit(List.of(new LedgerChange.DeletePieces(key, List.of(0L))));

            // then
            assertThatThrownBy(() -> refused.orTimeout(30, TimeUnit.SECONDS).join())
                    .hasCauseInstanceOf(StorageException.class)
                    .hasMessageContaining("expected by the test");
            ledger.commit(setting("after")).orTimeout(30, TimeUnit.SECONDS).join();
            assertThat(ledger.setting("after")).isPresent();
        }
    }
}
