package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receipt that was lost on its way is asked for by the transfer's seal. */
class LostReceiptTest {
    private static final String QUEUE = Addresses.receiptsQueue(Shipment.TOPIC, "waiter");

    @TempDir
    Path directory;

    private final Shipment file = Shipment.file(1, "f", Shipment.random(1, 40_000));
    private Rig rig;
    private List<Frame> lost;

    @BeforeEach
    void loseReceipt() {
        rig = new Rig(directory).open();
        rig.publish(file);
        rig.run();
        lost = rig.network.waiting(QUEUE);
        rig.network.drop(QUEUE, FrameType.RECEIPT);
    }

    private void sealAgain() {
        rig.publish(List.of(file.seal()));
        rig.run();
    }

    @Test
    void shouldRepeatTheSameReceiptWhenTheSealComesAgain() {
        // when
        sealAgain();

        // then
        assertThat(lost).hasSize(1);
        assertThat(rig.network.waiting(QUEUE)).isEqualTo(lost);
        assertThat(rig.ended).as("told once").hasSize(1);
    }

    @Test
    void shouldRepeatItAfterARestart() {
        // given
        rig.kill();
        rig.open();

        // when
        sealAgain();

        // then
        assertThat(rig.network.waiting(QUEUE)).isEqualTo(lost);
        assertThat(rig.ended).hasSize(1);
    }

    @Test
    void shouldRepeatItForAHolderThatAsksWithTheSeal() {
        try (Receiver receiver = new Receiver(rig.context(), rig.request(), rig.ended::add)) {
            // given
            receiver.start();

            // when
            Receiver.asked(file.seal(), List.of(receiver));

            // then
            while (rig.network.waiting(QUEUE).isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(rig.network.waiting(QUEUE)).isEqualTo(lost);
        }
        assertThat(rig.ended).as("told once").hasSize(1);
    }

    /** A subscription made since must not take the transfer for one that is coming in. */
    @Test
    void shouldTakeTheSealOfAHolderForNothingButAQuestion() {
        // given
        Shipment coming = Shipment.file(2, "g", Shipment.random(2, 40_000));
        rig.publish(coming.frames().subList(0, 1));
        rig.run();

        // when
        rig.pipeline().repeatReceipt(Shipment.id(2).toString());
        rig.pipeline().repeatReceipt(Shipment.id(3).toString());

        // then
        assertThat(rig.network.waiting(QUEUE)).isEmpty();
        assertThat(rig.ledger.transfers(Direction.INCOMING)).hasSize(2);
    }
}
