package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.OrderStamp;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number by which the broker says which of two files was published later, damaged on a disk on the way. */
class DamagedOrderTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    /** A greater number would be that of the latest file for ever, and none after it would be taken. */
    @Test
    void shouldTakeTheLaterFileWhenTheOrderOfTheEarlierOneIsDamaged() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment earlier = Shipment.file(1, "f", Shipment.random(1, 50_000));
        StubHolder publisher = new StubHolder(rig, "publisher", 1, earlier);
        rig.network.tamper(DamagedOrderTest::withAnotherOrder);
        rig.publish(earlier);
        rig.network.tamper(UnaryOperator.identity());
        StubHolder.run(rig, 3 * SECOND, publisher);
        assertThat(rig.into.resolve("f")).exists();
        byte[] later = Shipment.random(2, 50_000);

        // when
        rig.publish(Shipment.file(2, "f", later));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(later);
        assertThat(rig.notices).anyMatch(line -> line.contains("damaged message") && line.contains(OrderStamp.ORDER));
    }

    private static Envelope withAnotherOrder(Envelope envelope) {
        Map<String, Object> properties = new HashMap<>(envelope.properties());
        properties.computeIfPresent(OrderStamp.ORDER, (name, order) -> (long) order | 1L << 60);
        return new Envelope(properties, envelope.body());
    }
}
