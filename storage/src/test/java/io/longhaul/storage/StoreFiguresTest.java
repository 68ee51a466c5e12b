package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints what the store does per second on this machine; asserts only that it works. */
@Tag("slow")
class StoreFiguresTest {
    private static final int MIB = 1024 * 1024;

    @TempDir
    Path dir;

    @Test
    void shouldOpenQuicklyWhenLedgerHoldsAMillionPieces() {
        // given
        int count = 1_000_000;
        long filling = System.nanoTime();
        try (Store store = Store.open(dir, StoreConfig.defaults(), Disk.real())) {
            store.ledger()
                    .commit(List.of(new LedgerChange.PutTransfer(Samples.outgoing(1, "big"))))
                    .join();
            for (int from = 0; from < count; from += 64) {
                List<PieceRow> rows = new ArrayList<>();
                for (int i = from; i < Math.min(count, from + 64); i++) {
                    rows.add(Samples.durable(i));
                }
                store.ledger()
                        .commit(List.of(new LedgerChange.PutPieces(1, rows)))
                        .join();
            }
            print("1,000,000 pieces committed by 64", filling);
            System.out.println(
                    "ledger bytes " + dir.resolve("ledger.mv.db").toFile().length());
            filling = System.nanoTime();
        }
        print("close", filling);
        System.out.println(
                "ledger bytes closed " + dir.resolve("ledger.mv.db").toFile().length());

        // when
        long opening = System.nanoTime();
        try (Store store = Store.open(dir, StoreConfig.defaults(), Disk.real())) {
            print("open", opening);
            long reading = System.nanoTime();
            assertThat(store.ledger().safePieces(1).cardinality()).isEqualTo(count);
            print("safePieces", reading);
            reading = System.nanoTime();
            long[] seen = {0};
            store.ledger().forEachPiece(1, piece -> seen[0]++);
            assertThat(seen[0]).isEqualTo(count);
            print("forEachPiece", reading);
            reading = System.nanoTime();
            for (int i = 0; i < 10_000; i++) {
                assertThat(store.ledger().piece(1, i * 99L)).isPresent();
            }
            print("10,000 single pieces", reading);
            reading = System.nanoTime();
            store.ledger().commit(List.of(new LedgerChange.DeleteTransfer(1))).join();
            print("delete", reading);
            opening = System.nanoTime();
        }
        print("close", opening);
    }

    @Test
    void shouldSpoolAtDiskSpeedWhenPiecesAreCommittedInGroups() {
        try (Store store = Store.open(dir, StoreConfig.defaults(), Disk.real())) {
            byte[] body = new byte[MIB];
            int crc = Samples.crc(body);
            for (int round = 0; round < 4; round++) {
                long start = System.nanoTime();
                for (int from = 0; from < 512; from += 16) {
                    List<PieceRow> rows = new ArrayList<>();
                    for (int i = from; i < from + 16; i++) {
                        long position = store.spool().write(ByteBuffer.wrap(body));
                        rows.add(new PieceRow(i, 1, 0, (long) i * MIB, MIB, crc, false, position));
                    }
                    store.spool().force();
                    store.ledger()
                            .commit(List.of(new LedgerChange.PutPieces(1, rows)))
                            .join();
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.printf("spool round %d: %.0f MB/s%n", round, 512 * MIB / 1e6 / seconds);
                store.ledger()
                        .commit(List.of(new LedgerChange.DeleteTransfer(1)))
                        .join();
            }
        }
    }

    @Test
    void shouldCommitThousandsPerSecondWhenManyCallersCommit() throws Exception {
        try (Store store = Store.open(dir, StoreConfig.defaults(), Disk.real())) {
            for (int threads : new int[] {1, 4, 16}) {
                long start = System.nanoTime();
                int each = 2000;
                List<Thread> all = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    int key = t + 1;
                    Thread thread = new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            store.ledger()
                                    .commit(List.of(new LedgerChange.PutPieces(key, List.of(Samples.durable(i)))))
                                    .join();
                        }
                    });
                    all.add(thread);
                    thread.start();
                }
                for (Thread thread : all) {
                    thread.join();
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.printf(
                        "%d threads: %.0f commits/s, ledger %d bytes%n",
                        threads,
                        threads * each / seconds,
                        dir.resolve("ledger.mv.db").toFile().length());
            }
        }
    }

    private static void print(String what, long sinceNs) {
        System.out.println(what + ": " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs) + " ms");
    }
}
