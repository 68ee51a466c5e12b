package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    private static final StoreConfig CONFIG = new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0);

    @TempDir
    Path dir;

    private RecordingDisk disk;
    private Store store;
    private Ledger ledger;

    @BeforeEach
    void openStore() {
        disk = new RecordingDisk(Disk.real());
        store = Store.open(dir, CONFIG, disk);
        ledger = store.ledger();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private void commit(LedgerChange... changes) {
        ledger.commit(List.of(changes)).join();
    }

    private long forces() {
        return disk.events().stream()
                .filter("force ledger.mv.db.journal"::equals)
                .count();
    }

    @Test
    void shouldSyncOnceWhenManyCommitTogether() {
        // given
        commit(new LedgerChange.PutTransfer(Samples.outgoing(1, "t")));
        long before = forces();
        CountDownLatch together = new CountDownLatch(1);
        CompletableFuture<Void> first =
                ledger.commit(List.of(new LedgerChange.PutPieces(1, heldUntil(together, Samples.durable(500)))));

        // when
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            done.add(ledger.commit(List.of(new LedgerChange.PutPieces(1, List.of(Samples.durable(i))))));
        }
        together.countDown();
        first.join();
        done.forEach(CompletableFuture::join);

        // then: one for the first, one for all that waited behind it, and room for the ledger's own
        assertThat(forces() - before).isLessThanOrEqualTo(5);
        assertThat(ledger.safePieces(1).cardinality()).isEqualTo(501);
    }

    /** A list that keeps who reads it, which is the ledger's only writer. */
    private static List<PieceRow> heldUntil(CountDownLatch latch, PieceRow piece) {
        return new AbstractList<>() {
            @Override
            public PieceRow get(int index) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return piece;
            }

            @Override
            public int size() {
                return 1;
            }
        };
    }

    @Test
    void shouldForceBeforeFutureCompletesWhenDurable() {
        // given
        int before = disk.events().size();

        // when
        CompletableFuture<Void> done =
                ledger.commit(List.of(new LedgerChange.PutSetting("a", "1"))).thenRun(() -> disk.record("completed"));
        done.join();

        // then
        List<String> events = disk.events().subList(before, disk.events().size());
        assertThat(events).containsSubsequence("write ledger.mv.db.journal", "force ledger.mv.db.journal", "completed");
    }

    @Test
    void shouldShowLazyChangesWhenTheirFutureCompletes() {
        // when
        ledger.commitLater(List.of(new LedgerChange.PutSetting("a", "1"))).join();

        // then
        assertThat(ledger.setting("a")).contains("1");
        assertThat(ledger.setting("b")).isEmpty();
    }

    @Test
    void shouldKeepLazyChangesWhenClosed() {
        // given
        ledger.commitLater(List.of(new LedgerChange.PutSetting("a", "1")));

        // when
        store.close();
        openStore();

        // then
        assertThat(ledger.setting("a")).contains("1");
    }

    @Test
    void shouldDoAllChangesOfARequestOrNone() {
        // when
        CompletableFuture<Void> refused = ledger.commit(List.of(
                new LedgerChange.PutSetting("a", "1"),
                new LedgerChange.PutPieces(-5, List.of(Samples.durable(0))),
                new LedgerChange.PutSetting("b", "1")));
        CompletableFuture<Void> fine = ledger.commit(List.of(new LedgerChange.PutSetting("c", "1")));

        // then
        assertThatThrownBy(refused::join).hasCauseInstanceOf(StorageException.class);
        fine.join();
        assertThat(ledger.setting("a")).isEmpty();
        assertThat(ledger.setting("b")).isEmpty();
        assertThat(ledger.setting("c")).contains("1");
    }

    @Test
    void shouldFindTransfersByIdentityKeyDirectionAndName() {
        // given
        TransferRow out = Samples.outgoing(ledger.newKey(), "t-1");
        TransferRow old = Samples.incoming(ledger.newKey(), "t-2", "n", 5, TransferState.RECEIPTED);
        TransferRow late = Samples.incoming(ledger.newKey(), "t-3", "n", 9, TransferState.DELIVERED);
        TransferRow unfinished = Samples.incoming(ledger.newKey(), "t-4", "n", 12, TransferState.RECEIVING);
        commit(
                new LedgerChange.PutTransfer(out),
                new LedgerChange.PutTransfer(late),
                new LedgerChange.PutTransfer(old),
                new LedgerChange.PutTransfer(unfinished));

        // when, then
        assertThat(ledger.transfer(Direction.OUTGOING, "t-1", "")).contains(out);
        assertThat(ledger.transfer(Direction.INCOMING, "t-1", "")).isEmpty();
        assertThat(ledger.transfer(late.key())).contains(late);
        assertThat(ledger.transfers(Direction.INCOMING)).containsExactly(old, late, unfinished);
        assertThat(ledger.latestDelivered("climate.daily", "s1", "n")).contains(late);
        assertThat(ledger.latestDelivered("climate.daily", "s2", "n")).isEmpty();

        // when
        TransferRow latest = Samples.incoming(ledger.newKey(), "t-5", "n", 10, TransferState.RECEIPTED);
        TransferRow other = Samples.incoming(ledger.newKey(), "t-6", "o", 11, TransferState.RECEIPTED);
        commit(new LedgerChange.PutTransfer(latest), new LedgerChange.PutTransfer(other));

        // then
        assertThat(ledger.latestDelivered("climate.daily", "s1", "n")).contains(latest);
    }

    @Test
    void shouldFindTransfersByIdentityAndBySubscriptionAndState() {
        // given
        TransferRow done = Samples.incoming(1, "t1", "a", 1, TransferState.RECEIPTED);
        TransferRow open = Samples.incoming(2, "t2", "b", 2, TransferState.RECEIVING);
        TransferRow placing = Samples.incoming(3, "t3", "c", 3, TransferState.PLACING);
        commit(
                new LedgerChange.PutTransfer(done),
                new LedgerChange.PutTransfer(placing),
                new LedgerChange.PutTransfer(open),
                new LedgerChange.PutTransfer(Samples.outgoing(4, "t2")));

        // then
        assertThat(ledger.transfers(Direction.INCOMING, "t2")).containsExactly(open);
        assertThat(ledger.transfers(Direction.INCOMING, "t9")).isEmpty();
        assertThat(ledger.incoming("climate.daily", "s1", EnumSet.of(TransferState.RECEIVING, TransferState.PLACING)))
                .containsExactly(open, placing);
        assertThat(ledger.incoming("climate.daily", "s1", EnumSet.noneOf(TransferState.class)))
                .isEmpty();
        assertThat(ledger.incoming("climate.daily", "s2", EnumSet.allOf(TransferState.class)))
                .isEmpty();
    }

    @Test
    void shouldReplaceTransferWhenPutAgain() {
        // given
        TransferRow row = Samples.outgoing(1, "t");
        commit(new LedgerChange.PutTransfer(row));

        // when
        TransferRow changed =
                row.withState(TransferState.SENT).withSeal("{\"s\":1}").withDetail("{\"x\":\"ü\"}");
        commit(new LedgerChange.PutTransfer(changed));

        // then
        assertThat(ledger.transfers(Direction.OUTGOING)).containsExactly(changed);
    }

    @Test
    void shouldForgetEverythingOfATransferWhenDeletedButNeverItsKey() {
        // given
        long key = ledger.newKey();
        List<PieceRow> pieces = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            pieces.add(Samples.durable(i));
        }
        commit(
                new LedgerChange.PutTransfer(Samples.outgoing(key, "t")),
                new LedgerChange.PutPieces(key, pieces),
                new LedgerChange.PutPieces(key + 1, pieces.subList(0, 3)));

        // when
        commit(new LedgerChange.DeleteTransfer(key), new LedgerChange.DeleteTransfer(key + 1));
        store.close();
        openStore();

        // then
        assertThat(ledger.transfer(key)).isEmpty();
        assertThat(ledger.newKey()).isGreaterThan(key + 1);
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(ledger.safePieces(key).cardinality()).isZero());
    }

    @Test
    void shouldWalkPiecesInOrderAcrossPages() {
        // given
        List<PieceRow> pieces = new ArrayList<>();
        for (int i = 4999; i >= 0; i--) {
            pieces.add(Samples.durable(i * 3L));
        }
        commit(new LedgerChange.PutPieces(2, pieces), new LedgerChange.PutPieces(3, List.of(Samples.durable(1))));

        // when
        List<Long> seen = new ArrayList<>();
        ledger.forEachPiece(2, piece -> seen.add(piece.index()));

        // then
        assertThat(seen).hasSize(5000).isSorted().startsWith(0L, 3L);
        assertThat(ledger.safePieces(2).cardinality()).isEqualTo(5000);
        assertThat(ledger.piece(2, 6)).contains(Samples.durable(6));
        assertThat(ledger.piece(2, 7)).isEmpty();
    }

    @Test
    void shouldForgetPiecesWhenDeleted() {
        // given
        commit(new LedgerChange.PutPieces(2, List.of(Samples.durable(0), Samples.durable(1))));

        // when
        commit(new LedgerChange.DeletePieces(2, List.of(0L)));

        // then
        assertThat(ledger.safePieces(2).get(0)).isFalse();
        assertThat(ledger.safePieces(2).get(1)).isTrue();
    }

    @Test
    void shouldGiveEntriesByNumberAndByPiece() {
        // given
        EntryRow first = entry(0, 0);
        EntryRow second = entry(1, 0);
        EntryRow third = entry(2, 4);
        commit(new LedgerChange.PutEntries(6, List.of(third, second, first)));

        // when, then
        assertThat(ledger.entry(6, 1)).get().usingRecursiveComparison().isEqualTo(second);
        assertThat(ledger.entriesOfPiece(6, 0)).usingRecursiveComparison().isEqualTo(List.of(first, second));
        List<Long> numbers = new ArrayList<>();
        ledger.forEachEntry(6, entry -> numbers.add(entry.number()));
        assertThat(numbers).containsExactly(0L, 1L, 2L);
        assertThat(ledger.entriesOfPiece(7, 0)).isEmpty();
    }

    @Test
    void shouldGiveTheLatestOfEachEntryHoweverTheyCame() {
        // given
        long seed = Long.getLong("longhaul.seed", 1);
        Random random = new Random(seed);
        SortedMap<Long, EntryRow> expected = new TreeMap<>();
        for (int round = 0; round < 60; round++) {
            List<EntryRow> batch = new ArrayList<>();
            long number = random.nextInt(500);
            int piece = random.nextInt(3);
            for (int left = 1 + random.nextInt(200); left > 0; left--) {
                byte[] encoded = new byte[random.nextInt(30)];
                random.nextBytes(encoded);
                byte[] digest = new byte[random.nextInt(10) == 0 ? 0 : 32];
                random.nextBytes(digest);
                batch.add(new EntryRow(number, piece, encoded, digest));
                number += random.nextInt(20) == 0 ? 3 : 1;
            }

            // when
            commit(new LedgerChange.PutEntries(6, batch));
            batch.forEach(each -> expected.put(each.number(), each));
        }

        // then
        String what = "seed " + seed;
        List<EntryRow> all = new ArrayList<>();
        ledger.forEachEntry(6, all::add);
        assertThat(all).as(what).usingRecursiveComparison().isEqualTo(new ArrayList<>(expected.values()));
        for (long number = 0; number < 800; number++) {
            assertThat(ledger.entry(6, number).orElse(null))
                    .as(what)
                    .usingRecursiveComparison()
                    .isEqualTo(expected.get(number));
        }
        for (long piece = 0; piece < 3; piece++) {
            long wanted = piece;
            assertThat(ledger.entriesOfPiece(6, piece))
                    .as(what)
                    .usingRecursiveComparison()
                    .isEqualTo(expected.values().stream()
                            .filter(each -> each.piece() == wanted)
                            .toList());
        }
    }

    private static EntryRow entry(long number, long piece) {
        return new EntryRow(
                number, piece, ("entry" + number).getBytes(StandardCharsets.UTF_8), new byte[] {(byte) number});
    }

    @Test
    void shouldRefuseWhenClosed() {
        // given
        store.close();

        // when, then
        assertThatThrownBy(() -> ledger.commit(List.of(new LedgerChange.PutSetting("a", "1")))
                        .join())
                .cause()
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.CLOSED));
        assertThatThrownBy(() -> ledger.setting("a"))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.CLOSED));
    }

    @Test
    void shouldFindSettingsByTheBeginningOfTheirNamesUntilTheyAreForgotten() {
        // given
        commit(new LedgerChange.PutSetting("a.2", "2"));
        commit(new LedgerChange.PutSetting("a.1", "1"));
        commit(new LedgerChange.PutSetting("b.1", "3"));
        assertThat(ledger.settings("a.")).containsExactly(Map.entry("a.1", "1"), Map.entry("a.2", "2"));

        // when
        commit(new LedgerChange.DeleteSetting("a.1"));

        // then
        assertThat(ledger.settings("a.")).containsOnlyKeys("a.2");
        assertThat(ledger.setting("a.1")).isEmpty();
    }

    @Test
    void shouldAnswerAnInterruptedReader() {
        // given
        commit(new LedgerChange.PutSetting("a", "1"));
        Thread.currentThread().interrupt();

        // when, then
        assertThat(ledger.setting("a")).contains("1");
        assertThat(Thread.interrupted()).isTrue();
        commit(new LedgerChange.PutSetting("a", "2"));
        assertThat(ledger.setting("a")).contains("2");
    }
}
