package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreTest {
    private static final StoreConfig CONFIG = new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0);

    @TempDir
    Path dir;

    @Test
    void shouldFindRowsAndBodiesWhenOpenedAgain() {
        // given
        byte[] body = "a body".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        TransferRow transfer = Samples.outgoing(1, "t-1");
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            long position = store.spool().write(ByteBuffer.wrap(body));
            store.spool().force();
            store.ledger()
                    .commit(List.of(
                            new LedgerChange.PutTransfer(transfer),
                            new LedgerChange.PutPieces(1, List.of(Samples.spooled(0, body, position)))))
                    .join();
        }

        // when
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().transfer(1)).contains(transfer);
            PieceRow piece = store.ledger().piece(1, 0).orElseThrow();
            ByteBuffer read = ByteBuffer.allocate(body.length);
            store.spool().read(piece.spoolPosition(), read);
            assertThat(read.array()).isEqualTo(body);
            assertThat(store.ledger().newKey()).isGreaterThan(1);
        }
    }

    @Test
    void shouldCommitNothingWhenItsDirectoryHasBeenMoved() throws Exception {
        Path data = dir.resolve("data");
        try (Store store = Store.open(data, CONFIG, Disk.real())) {
            // given
            Files.move(data, dir.resolve("moved"));

            // when
            CompletableFuture<Void> commit =
                    store.ledger().commit(List.of(new LedgerChange.PutTransfer(Samples.outgoing(1, "t-1"))));

            // then
            assertThatThrownBy(commit::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.LOST));
            Files.move(dir.resolve("moved"), data);
            assertThat(store.ledger().transfer(1)).isEmpty();
        }
    }

    @Test
    void shouldFreeSlotWhenPieceIsSafe() {
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            // given
            byte[] body = {1, 2, 3};
            long position = store.spool().write(ByteBuffer.wrap(body));
            store.ledger()
                    .commit(List.of(new LedgerChange.PutPieces(7, List.of(Samples.spooled(3, body, position)))))
                    .join();

            // when
            store.ledger()
                    .commit(List.of(new LedgerChange.MarkSafe(7, List.of(3L))))
                    .join();

            // then
            assertThat(store.ledger().safePieces(7)).isEqualTo(BitSet.valueOf(new long[] {8}));
            assertThat(store.spool().write(ByteBuffer.wrap(body))).isEqualTo(position);
        }
    }

    /** A process may be killed after it recorded the end, and before it gave the slots back. */
    @ParameterizedTest
    @EnumSource(
            value = TransferState.class,
            names = {"FAILED", "CANCELLED"})
    void shouldGiveBackWhatATransferThatHasEndedLeftInTheSpool(TransferState end) {
        // given
        byte[] body = {1, 2, 3};
        TransferRow transfer = Samples.outgoing(1, "t-1").withState(end);
        long position;
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            position = store.spool().write(ByteBuffer.wrap(body));
            store.ledger()
                    .commit(List.of(
                            new LedgerChange.PutTransfer(transfer),
                            new LedgerChange.PutPieces(1, List.of(Samples.spooled(0, body, position)))))
                    .join();
        }

        // when
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().piece(1, 0)).contains(Samples.spooled(0, body, -1));
            assertThat(store.spool().write(ByteBuffer.wrap(body))).isEqualTo(position);
        }
    }

    /** The row of a commit that was said to have failed may be found later, and name a slot that was given to another. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLeaveAlonePiecesThatAnotherPieceGaveUpItsSlotTo(boolean deleted) {
        // given
        byte[] body = {1, 2, 3};
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            long position = store.spool().write(ByteBuffer.wrap(body));
            store.ledger()
                    .commit(List.of(
                            new LedgerChange.PutPieces(7, List.of(Samples.spooled(3, body, position))),
                            new LedgerChange.PutPieces(8, List.of(Samples.spooled(4, body, position)))))
                    .join();

            // when
            store.ledger()
                    .commit(List.of(
                            deleted ? new LedgerChange.DeleteTransfer(7) : new LedgerChange.MarkSafe(7, List.of(3L))))
                    .join();

            // then
            assertThat(store.spool().write(ByteBuffer.wrap(body))).isNotEqualTo(position);
            store.ledger()
                    .commit(List.of(new LedgerChange.MarkSafe(8, List.of(4L))))
                    .join();
            assertThat(store.spool().write(ByteBuffer.wrap(body))).isEqualTo(position);
        }
    }

    @Test
    void shouldNameProcessWhenDirectoryIsInUse() {
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            // when, then
            assertThatThrownBy(() -> Store.open(dir, CONFIG, Disk.real()))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.IN_USE))
                    .hasMessageContaining(store.directory().toString())
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
        }
    }

    @Test
    void shouldRefuseWhenVersionIsNewer() throws Exception {
        // given
        Store.open(dir, CONFIG, Disk.real()).close();
        Files.writeString(dir.resolve("VERSION"), "longhaul store 9\n");

        // when, then
        assertThatThrownBy(() -> Store.open(dir, CONFIG, Disk.real()))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.VERSION))
                .hasMessageContaining("longhaul store 9");
        assertThat(Store.exists(dir)).isTrue();
        assertThat(Store.exists(dir.resolve("none"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "longhaul s", "longhaul store 1"})
    void shouldTakeTheLedgersWordWhenVersionIsCutOff(String left) throws Exception {
        // given
        Store.open(dir, CONFIG, Disk.real()).close();
        Files.writeString(dir.resolve("VERSION"), left);

        // when
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).singleElement().asString().contains("VERSION", "cut off");
        }
        assertThat(dir.resolve("VERSION")).hasContent("longhaul store 1");
    }

    @Test
    void shouldBeginAnewNeitherWithoutVersionsTextNorLedger() throws Exception {
        // given
        Store.open(dir, CONFIG, Disk.real()).close();
        Files.writeString(dir.resolve("VERSION"), "");
        Files.delete(dir.resolve("ledger.mv.db"));

        // when, then
        assertThatThrownBy(() -> Store.open(dir, CONFIG, Disk.real()))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.DAMAGED));
    }

    @Test
    void shouldFollowLinksToItsDirectories() throws Exception {
        // given
        Path real = Files.createDirectories(dir.resolve("real"));
        Path spool = Files.createDirectories(dir.resolve("spool-elsewhere"));
        Path alias = Files.createSymbolicLink(dir.resolve("alias"), real);
        Files.createSymbolicLink(real.resolve("spool"), spool);

        // when
        try (Store store = Store.open(alias, CONFIG, Disk.real())) {
            store.spool().write(ByteBuffer.wrap(new byte[] {1}));

            // then
            assertThat(store.directory()).isEqualTo(real.toRealPath());
            assertThat(spool).isNotEmptyDirectory();
            assertThatThrownBy(() -> Store.open(real, CONFIG, Disk.real()))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.IN_USE))
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
        }
    }
}
