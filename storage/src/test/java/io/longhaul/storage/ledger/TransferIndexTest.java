package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Samples;
import io.longhaul.storage.TransferState;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferIndexTest {
    private static final int TRANSFERS = 500;
    private static final int UNFINISHED = 5;

    @TempDir
    Path dir;

    private CrowdedLedger ledger;

    @BeforeEach
    void putManyTransfersOfOneName() throws Exception {
        ledger = CrowdedLedger.of(
                dir,
                TRANSFERS,
                i -> new LedgerChange.PutTransfer(Samples.incoming(
                        i, "t" + i, "n", i, i <= UNFINISHED ? TransferState.RECEIVING : TransferState.RECEIPTED)));
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void shouldFindTheLatestDeliveredOfANameWithOneLook() {
        assertThat(ledger.scanned(Rows.LATEST_DELIVERED, "climate.daily", "s1", "n"))
                .isLessThan(5);
    }

    @Test
    void shouldReadUnfinishedTransfersOnly() {
        String query = Rows.transfersIn(Set.of(TransferState.RECEIVING, TransferState.PLACING));
        assertThat(ledger.scanned(query, "climate.daily", "s1")).isBetween(UNFINISHED, UNFINISHED + 5);
    }

    @Test
    void shouldTellPlacesByTheIndexAlone() {
        assertThat(ledger.scanned(Rows.PLACES, "climate.daily", "s1", "RECEIVING"))
                .isBetween(UNFINISHED, UNFINISHED + 5);
        assertThat(ledger.scanned(Rows.FIRST_TOPIC, "climate")).isLessThan(5);
        assertThat(ledger.scanned(Rows.FIRST_TOPIC, "climate.daily" + '\0')).isLessThan(5);
    }
}
