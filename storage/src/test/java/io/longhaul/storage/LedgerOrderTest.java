package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is looked up among very many transfers. */
class LedgerOrderTest {
    @TempDir
    Path dir;

    private Store store;

    @BeforeEach
    void open() {
        store = Store.open(dir, StoreConfig.defaults(), Disk.real());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void put(TransferRow... rows) {
        List<LedgerChange> changes = new ArrayList<>();
        for (TransferRow row : rows) {
            changes.add(new LedgerChange.PutTransfer(row));
        }
        store.ledger().commit(changes).join();
    }

    @Test
    void shouldTellPlacesOfTheStatesAskedForFirstOnesFirst() {
        // given
        put(
                Samples.incoming(1, "t1", "a", 9, TransferState.RECEIPTED),
                Samples.incoming(2, "t3", "b", 5, TransferState.DELIVERED),
                Samples.incoming(3, "t2", "c", 5, TransferState.RECEIPTED),
                Samples.incoming(4, "t4", "d", 1, TransferState.RECEIVING),
                Samples.outgoing(5, "t5"));

        // when
        List<Ledger.Place> places = store.ledger()
                .places("climate.daily", "s1", EnumSet.of(TransferState.DELIVERED, TransferState.RECEIPTED));

        // then
        assertThat(places).containsExactly(new Ledger.Place(5, 2), new Ledger.Place(5, 3), new Ledger.Place(9, 1));
        assertThat(store.ledger().places("climate.daily", "other", EnumSet.allOf(TransferState.class)))
                .isEmpty();
    }

    @Test
    void shouldFindUnfinishedOutgoingTransfersOfAllTopicsOldestFirst() {
        // given
        put(
                ofTopic(1, "b", TransferState.SENT),
                ofTopic(2, "a", TransferState.COMPLETED),
                ofTopic(3, "a", TransferState.SENDING),
                ofTopic(4, "c", TransferState.SENDING),
                Samples.incoming(5, "t5", "a", 1, TransferState.FAILED));
        List<Long> found = new ArrayList<>();

        // when
        store.ledger().forEachOutgoing(TransferState.UNFINISHED_OUTGOING, row -> found.add(row.key()));

        // then
        assertThat(found).containsExactly(1L, 3L, 4L);
    }

    @Test
    void shouldBeginAtAKey() {
        // given
        put(Samples.outgoing(1, "t1"), Samples.outgoing(2, "t2"), Samples.outgoing(3, "t3"));
        List<Long> found = new ArrayList<>();

        // when
        store.ledger().forEachTransfer(Direction.OUTGOING, 2, row -> found.add(row.key()));

        // then
        assertThat(found).containsExactly(2L, 3L);
    }

    private static TransferRow ofTopic(long key, String topic, TransferState state) {
        TransferRow row = Samples.outgoing(key, "t" + key);
        return new TransferRow(
                key,
                Direction.OUTGOING,
                row.transferId(),
                topic,
                "",
                row.name(),
                state,
                0,
                0,
                row.manifest(),
                "",
                row.path(),
                row.detail());
    }
}
