package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Receipt;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no rule foresees: a transfer that finds a fault in this program. */
class UnexpectedFaultTest {
    private static final byte[] CONTENT = Shipment.random(1, 10_000);

    @TempDir
    Path directory;

    /** Whatever a transfer finds wrong in this program must not keep others from coming. */
    @ParameterizedTest
    @ValueSource(strings = {"entry", "forEachEntry"})
    void shouldRefuseTheTransferWhenItFindsAFaultInThisProgram(String method) {
        // given
        Rig rig = new Rig(directory);
        Ledger real = rig.ledger;
        rig.ledger = (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        throw new IllegalArgumentException("a fault");
                    }
                    return called.invoke(real, arguments);
                });
        rig.open();

        // when
        rig.publish(Shipment.tree(1, "x", List.of(Shipment.Node.file("a", CONTENT))));
        rig.publish(Shipment.file(99, "honest", CONTENT));
        rig.run();

        // then
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactlyInAnyOrder(Receipt.Outcome.FAILED, Receipt.Outcome.DELIVERED);
        assertThat(rig.receipts()).anyMatch(receipt -> receipt.reason().contains("a fault"));
        assertThat(rig.into.resolve("honest")).hasBinaryContent(CONTENT);
        assertThat(rig.leftovers()).isEmpty();
    }

    /** Both sides of the bound: the wire's and the ledger's. */
    @Test
    void shouldKeepEveryEntryNumberThatTheWireAllows() {
        // given
        long last = Limits.MAX_ENTRIES - 1;
        EntryRow row = new EntryRow(last, 0, new byte[] {1}, new byte[0]);
        try (Store store = Store.open(directory, new StoreConfig(4096, 65536, Long.MAX_VALUE, 0), Disk.real())) {
            long key = store.ledger().newKey();

            // when
            store.ledger()
                    .commit(List.of(new LedgerChange.PutEntries(key, List.of(row))))
                    .join();

            // then
            assertThat(store.ledger().entry(key, last)).isPresent();
        }
    }
}
