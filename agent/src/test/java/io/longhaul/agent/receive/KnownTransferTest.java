package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.repair.Catalogue;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an agent answers to who asks for the manifest and seal of one transfer. */
class KnownTransferTest {
    private static final Shipment FILE = Shipment.file(1, "f", Shipment.random(1, 10_000));

    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void open() {
        rig = new Rig(directory).open();
    }

    private static String json(Frame frame) {
        return new String(FrameCodec.toJson(frame), StandardCharsets.UTF_8);
    }

    private void published(TransferState state, String topic, String seal) {
        TransferRow row = new TransferRow(
                rig.ledger.newKey(),
                Direction.OUTGOING,
                Shipment.id(1).toString(),
                topic,
                "",
                "f",
                state,
                0,
                1,
                json(FILE.manifest()),
                seal,
                "/source",
                "{}");
        rig.ledger.commit(List.of(new LedgerChange.PutTransfer(row))).join();
    }

    /** Returns what comes back to the asker. */
    private List<RetainedAnswer> asked() throws InterruptedException {
        Catalogue catalogue = new Catalogue(
                "holder",
                rig.network.connect("holder", 1 << 20),
                rig.ledger,
                new Holdings(rig.ledger, Disk.real()),
                topic -> Optional.empty());
        catalogue.asked(RetainedQuery.of(7, Shipment.TOPIC, "other", "asker", Shipment.id(1)));
        List<RetainedAnswer> answers = new ArrayList<>();
        try (Inflow inbox = rig.network.connect("asker", 1 << 20).inbox("asker", "asker")) {
            for (Delivery each = inbox.poll(Duration.ZERO); each != null; each = inbox.poll(Duration.ZERO)) {
                answers.add((RetainedAnswer) each.frame().orElseThrow());
            }
        }
        return answers;
    }

    private static RetainedAnswer.Retained known(long order) {
        return new RetainedAnswer.Retained(order, FILE.manifest(), FILE.seal());
    }

    @ParameterizedTest
    @EnumSource(names = {"SENDING", "SENT", "COMPLETED"})
    void shouldTellWhatIsPublishedHere(TransferState state) throws InterruptedException {
        published(state, Shipment.TOPIC, json(FILE.seal()));
        assertThat(asked()).singleElement().satisfies(answer -> {
            assertThat(answer.request()).isEqualTo(7);
            assertThat(answer.subscription()).isEqualTo("other");
            assertThat(answer.transfers()).containsExactly(known(0));
        });
    }

    @Test
    void shouldTellTheOrderWhenItWasReceivedHere() throws InterruptedException {
        // given
        published(TransferState.COMPLETED, Shipment.TOPIC, json(FILE.seal()));
        rig.publish(FILE);
        rig.run();

        // when, then
        assertThat(asked())
                .singleElement()
                .satisfies(answer -> assertThat(answer.transfers()).containsExactly(known(1)));
    }

    @Test
    void shouldTellNothingWhenItIsNotSealedYet() throws InterruptedException {
        published(TransferState.SENDING, Shipment.TOPIC, "");
        assertThat(asked()).isEmpty();
        assertThat(rig.network.waiting(Shipment.TOPIC, Rig.SUBSCRIPTION)).isEmpty();
    }

    @Test
    void shouldTellNothingWhenItIsOfAnotherTopic() throws InterruptedException {
        published(TransferState.SENT, "other", json(FILE.seal()));
        assertThat(asked()).isEmpty();
    }

    @Test
    void shouldEndWhatWasGivenUpWhenTheCancelWasLost() throws InterruptedException {
        // given
        rig.publish(FILE.frames().subList(0, 2));
        rig.run();
        published(TransferState.CANCELLED, Shipment.TOPIC, "");

        // when
        assertThat(asked()).isEmpty();
        assertThat(rig.network.waiting(Shipment.TOPIC, Rig.SUBSCRIPTION))
                .singleElement()
                .isInstanceOf(Cancel.class);
        rig.run();

        // then
        assertThat(rig.ledger.transfer(Direction.INCOMING, Shipment.id(1).toString(), Rig.SUBSCRIPTION))
                .hasValueSatisfying(row -> assertThat(row.state()).isEqualTo(TransferState.CANCELLED));

        // when
        assertThat(asked()).isEmpty();

        // then
        assertThat(rig.network.waiting(Shipment.TOPIC, Rig.SUBSCRIPTION)).isEmpty();
    }

    /** Others still want it. */
    @Test
    void shouldTellAndEndNothingWhenItFailedByTheReceiptOfOneSubscription() throws InterruptedException {
        // given
        published(TransferState.FAILED, Shipment.TOPIC, json(FILE.seal()));
        Receipt receipt = new Receipt(
                Shipment.id(1),
                Shipment.TOPIC,
                "one",
                "agent",
                Receipt.Outcome.FAILED,
                0,
                "",
                "",
                1,
                "no room",
                Optional.empty());
        rig.ledger
                .commit(List.of(new LedgerChange.PutReceipt(new ReceiptRow(
                        Direction.OUTGOING, Shipment.id(1).toString(), Shipment.TOPIC, "one", 1, json(receipt)))))
                .join();

        // when, then
        assertThat(asked())
                .singleElement()
                .satisfies(answer -> assertThat(answer.transfers()).containsExactly(known(0)));
        assertThat(rig.network.waiting(Shipment.TOPIC, Rig.SUBSCRIPTION)).isEmpty();
    }
}
