package io.longhaul.agent.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.RetainedQuery;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShelfTest {
    private static final String TOPIC = "t";
    private static final String ARCHIVE = "a";

    @TempDir
    Path directory;

    private final AtomicInteger looks = new AtomicInteger();
    private long nowNs = 100;
    private Store store;
    private Shelf shelf;

    @BeforeEach
    void open() {
        store = Store.open(directory, StoreConfig.defaults(), Disk.real());
        shelf = new Shelf(counting(store.ledger()), Set.of(TransferState.RECEIPTED), () -> nowNs);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Ledger counting(Ledger ledger) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                    looks.addAndGet(method.getName().equals("places") ? 1 : 0);
                    return method.invoke(ledger, arguments);
                });
    }

    private void put(long key, String id, long order, TransferState state) {
        TransferRow row = new TransferRow(
                key, Direction.INCOMING, id.repeat(32), TOPIC, ARCHIVE, "n", state, order, 0, "", "", "", "{}");
        store.ledger().commit(List.of(new LedgerChange.PutTransfer(row))).join();
    }

    private List<String> page(long afterOrder, String afterTransfer, int most) {
        RetainedQuery query =
                new RetainedQuery(1, TOPIC, "late", "asker", 0, 0, afterOrder, afterTransfer.repeat(32), "");
        List<String> page = new ArrayList<>();
        Iterator<TransferRow> rows = shelf.behind(query, ARCHIVE);
        while (rows.hasNext() && page.size() < most) {
            page.add(rows.next().transferId().substring(31));
        }
        return page;
    }

    @Test
    void shouldGiveAllByOrderAndIdentityWhereverAPageEnds() {
        // given
        put(1, "c", 5, TransferState.RECEIPTED);
        put(2, "b", 5, TransferState.RECEIPTED);
        put(3, "d", 5, TransferState.RECEIPTED);
        put(4, "a", 7, TransferState.RECEIPTED);
        put(5, "e", 0, TransferState.RECEIPTED);
        put(6, "f", 6, TransferState.RECEIVING);

        // when, then
        assertThat(page(-1, "", 3)).containsExactly("e", "b", "c");
        assertThat(page(5, "c", 3)).containsExactly("d", "a");
        assertThat(page(7, "a", 3)).isEmpty();
    }

    @Test
    void shouldLookForPlacesOnceForAllPagesAndAgainForTheFirst() {
        // given
        put(1, "a", 1, TransferState.RECEIPTED);
        put(2, "b", 2, TransferState.RECEIPTED);
        page(-1, "", 1);

        // when
        put(3, "c", 3, TransferState.RECEIPTED);
        store.ledger().commit(List.of(new LedgerChange.DeleteTransfer(2))).join();
        List<String> behind = page(1, "a", 10);

        // then
        assertThat(behind).isEmpty();
        assertThat(looks).hasValue(1);
        assertThat(page(-1, "", 10)).containsExactly("a", "c");
        assertThat(looks).hasValue(2);
    }

    @Test
    void shouldLookForPlacesAgainWhenAPageIsAskedForMuchLater() {
        // given
        put(1, "a", 1, TransferState.RECEIPTED);
        page(-1, "", 1);
        put(2, "b", 2, TransferState.RECEIPTED);

        // when
        nowNs += TimeUnit.MINUTES.toNanos(1);

        // then
        assertThat(page(1, "a", 10)).containsExactly("b");
    }
}
