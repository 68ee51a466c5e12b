package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Frame;
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

    private void steps(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            step();
        }
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
    void shouldAcknowledgeAtOnceWhatCameBefore() throws InterruptedException {
        // given
        List<Frame> some = List.copyOf(shipment.pieces().subList(0, 2));
        rig.publish(some);
        steps(8);
        rig.nowNs += ReceiveLoop.LINGER_NS;
        steps(8);
        assertThat(rig.backlog()).isZero();

        // when
        rig.publish(some);
        steps(8);

        // then: without any time
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldRecordAtOnceWhatCompletesATransfer() throws InterruptedException {
        // given
        rig.publish(shipment.pieces());
        rig.publish(List.of(shipment.seal()));

        // when
        steps(20);

        // then: without any time
        assertThat(rig.ended).hasSize(1);
        assertThat(rig.backlog()).isZero();
    }
}
