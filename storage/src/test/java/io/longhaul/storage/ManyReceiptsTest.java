package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyReceiptsTest {
    private static final int RECEIPTS = 5_000;
    private static final int LOOK_EVERY = 1_000;
    private static final int MOST_HELD = 10;

    @TempDir
    Path dir;

    private Store store;

    @BeforeEach
    void openStore() {
        store = Store.open(dir, new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0), Disk.real());
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private static ReceiptRow row(int number, long atMillis) {
        return new ReceiptRow(Direction.OUTGOING, "transfer" + number, "topic", "s", atMillis, "{}");
    }

    private void take(List<ReceiptRow> rows) {
        store.ledger()
                .commit(rows.stream()
                        .<LedgerChange>map(LedgerChange.PutReceipt::new)
                        .toList())
                .join();
    }

    @Test
    void shouldTellOfReceiptsByTheirTimeAndHoldNoneOfThem() {
        // given: a clock that was set back
        take(IntStream.range(0, RECEIPTS)
                .mapToObj(number -> row(number, (number + RECEIPTS / 2) % RECEIPTS))
                .toList());
        List<WeakReference<ReceiptRow>> told = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        List<Long> held = new ArrayList<>();

        // when
        store.ledger().forEachReceipt(Direction.OUTGOING, (row, number) -> {
            told.add(new WeakReference<>(row));
            times.add(row.atMillis());
            if (told.size() % LOOK_EVERY == 0) {
                System.gc();
                held.add(told.stream().filter(each -> each.get() != null).count());
            }
        });

        // then
        assertThat(times).hasSize(RECEIPTS).isSorted();
        assertThat(held).hasSize(RECEIPTS / LOOK_EVERY).allMatch(count -> count < MOST_HELD);
    }

    @Test
    void shouldFindAReceiptByTheNumberItWasToldWith() {
        // given
        take(List.of(row(1, 9), row(2, 8)));

        // then
        store.ledger()
                .forEachReceipt(
                        Direction.OUTGOING,
                        (row, number) ->
                                assertThat(store.ledger().receipt(number)).contains(row));
        assertThat(store.ledger().receipt(99)).isEmpty();
    }
}
