package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Inflow;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatchUpTest {
    @TempDir
    Path directory;

    @Test
    void shouldAskEveryFourSecondsWhenNoArchiveAnswers() {
        // given
        Rig rig = new Rig(directory);
        rig.since = Optional.of(Instant.EPOCH);
        rig.open().run(60_000_000_000L);
        Inflow questions = rig.network.connect("archive", 1 << 20).holders(Shipment.TOPIC, "archive");

        // when
        rig.run(40_000_000_000L);

        // then
        assertThat(questions.backlog()).isBetween(9L, 11L);
    }
}
