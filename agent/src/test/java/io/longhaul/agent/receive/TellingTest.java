package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Progress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TellingTest {
    private static final long MILLI = 1_000_000L;

    @TempDir
    Path directory;

    @Test
    void shouldTellOfTheLastThatCameWhenNothingMoreComes() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", Shipment.random(1, 10 * Shipment.PIECE));

        // when
        rig.publish(file.frames().subList(0, 4));
        rig.run(50 * MILLI);

        // then
        assertThat(rig.progress).extracting(Progress::safeBytes).containsExactly(0L);

        // when
        rig.run(300 * MILLI);

        // then
        assertThat(rig.progress).extracting(Progress::safeBytes).containsExactly(0L, 3L * Shipment.PIECE);
        assertThat(rig.pipeline().transfers().progress())
                .extracting(Progress::safeBytes)
                .containsExactly(3L * Shipment.PIECE);
    }
}
