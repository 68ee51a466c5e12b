package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Retention;
import io.longhaul.agent.repair.IncomingStock;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What has ended may be millions of transfers: no start and no repair may read them all. */
class ManyEndedTest {
    private static final Shipment FILE = Shipment.file(1, "f", Shipment.random(1, 9_000));

    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void deliver() {
        rig = new Rig(directory).open();
        rig.publish(FILE);
        rig.run();
        rig.kill();
        rig.ledger = withoutAll(rig.ledger);
    }

    /** A ledger that does not tell of all transfers. */
    private static Ledger withoutAll(Ledger ledger) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                    boolean all = method.getName().equals("transfers") && arguments.length == 1;
                    if (all || method.getName().equals("forEachTransfer")) {
                        throw new AssertionError("read all transfers");
                    }
                    return method.invoke(ledger, arguments);
                });
    }

    @Test
    void shouldHoldWhatIsLeasedAtAStart() throws Exception {
        // given
        LeaseRow lease = new LeaseRow(Shipment.id(1).toString(), Shipment.TOPIC, "somebody", 1, 0);
        rig.ledger.commit(List.of(new LedgerChange.PutLease(lease))).join();

        // when
        rig.open().run();
        Files.delete(rig.into.resolve("f"));

        // then
        Holdings holdings = new Holdings(rig.ledger, Disk.real());
        IncomingStock stock = new IncomingStock(rig.ledger, new DeliveredPieces(rig.ledger, Disk.real()), holdings);
        assertThat(stock.find(Shipment.id(1)))
                .hasValueSatisfying(item ->
                        assertThat(stock.read(item, 0)).isEqualTo(FILE.pieces().get(0)));
    }

    @Test
    void shouldPruneAnArchive() {
        // given
        Pruning pruning = new Pruning(
                rig.ledger,
                Disk.real(),
                new Holdings(rig.ledger, Disk.real()),
                Clock.systemUTC(),
                rig.request().withArchive(Retention.FOR_EVER),
                Retention.FOR_EVER,
                (transfer, task) -> true);

        // then
        assertThat(pruning.prune()).isZero();
    }
}
