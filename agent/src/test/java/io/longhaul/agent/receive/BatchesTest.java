package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is forced and recorded together. */
class BatchesTest {
    private static final long A_MOMENT_NS = ReceiveLoop.LINGER_NS / 5;

    @TempDir
    Path directory;

    private final Shipment shipment = Shipment.file(1, "file", Shipment.random(1, 4 * Shipment.PIECE));
    private Rig rig;

    @BeforeEach
    void begin() {
        rig = new Rig(directory);
        rig.publish(List.of(shipment.manifest()));
        rig.open().run();
    }

    private long steps(String start) {
        return rig.journal.steps().stream()
                .filter(step -> step.startsWith(start))
                .count();
    }

    private void step() throws InterruptedException {
        rig.pipeline().loop().step();
    }

    @Test
    void shouldRecordTogetherWhatComesPieceByPiece() throws InterruptedException {
        // given
        long forced = steps("force part");

        // when
        for (int i = 0; i < 4; i++) {
            rig.publish(List.of(shipment.pieces().get(i)));
            step();
            step();
            rig.nowNs += A_MOMENT_NS;
        }
        assertThat(steps("commit [PutPieces]")).isZero();
        rig.nowNs += A_MOMENT_NS;
        step();
        step();

        // then
        assertThat(steps("force part") - forced).isEqualTo(1);
        assertThat(steps("commit [PutPieces]")).isEqualTo(1);
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldRecordAtOnceWhatCompletesATransfer() throws InterruptedException {
        // given
        rig.publish(shipment.pieces());
        rig.publish(List.of(shipment.seal()));

        // when
        for (int i = 0; i < 20; i++) {
            step();
        }

        // then: without any time
        assertThat(rig.ended).hasSize(1);
        assertThat(rig.backlog()).isZero();
    }
}
