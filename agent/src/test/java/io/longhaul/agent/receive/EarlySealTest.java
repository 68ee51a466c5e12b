package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.control.LedgerReport;
import io.longhaul.agent.control.ReceiptSelection;
import io.longhaul.storage.Direction;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.Seal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seal that overtakes its manifest. */
class EarlySealTest {
    private static final byte[] CONTENT = Shipment.random(1, 100_000);

    @TempDir
    Path directory;

    /** A manifest that was given back comes behind later frames, however much later. */
    @Test
    void shouldDeliverWhenTheManifestComesLongAfterTheSeal() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        rig.publish(file.pieces());
        rig.publish(List.of(file.seal()));
        rig.run(3_000_000_000L);
        assertThat(rig.backlog()).isZero();

        // when
        rig.publish(List.of(file.manifest()));
        rig.publish(file.pieces());
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.receipts()).hasSize(1);
        assertThat(rig.ledger.transfers(Direction.INCOMING)).hasSize(1);
    }

    @Test
    void shouldDeliverWhenKilledBetweenTheSealAndItsManifest() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        rig.publish(List.of(file.seal()));
        rig.run();
        assertThat(rig.backlog()).isZero();
        rig.kill();

        // when
        rig.open();
        rig.publish(List.of(file.manifest()));
        rig.publish(file.pieces());
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.ledger.transfers(Direction.INCOMING)).hasSize(1);
    }

    @Test
    void shouldHaveNothingWhenACancelFollowsAnEarlySeal() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);

        // when
        rig.publish(List.of(file.seal(), new Cancel(Shipment.id(1), "source changed"), file.manifest()));
        rig.run();

        // then
        assertThat(rig.backlog()).isZero();
        assertThat(rig.ledger.transfers(Direction.INCOMING))
                .singleElement()
                .satisfies(row -> assertThat(row.state()).isEqualTo(TransferState.CANCELLED));
    }

    @Test
    void shouldRefuseWhenAnEarlySealDoesNotFitItsManifest() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        Seal wrong = new Seal(Shipment.id(1), 17, file.seal().digest(), 1, 1);

        // when
        rig.publish(List.of(wrong, file.manifest()));
        rig.run();

        // then
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.FAILED);
    }

    /** As that of a file which was published before its subscription. */
    @Test
    void shouldForgetASealWhoseManifestHasNotComeForAMonth() {
        // given
        Rig rig = new Rig(directory).open();
        rig.publish(List.of(Shipment.file(1, "f", CONTENT).seal()));
        rig.run();
        rig.kill();
        TransferRow row = rig.ledger.transfers(Direction.INCOMING).get(0);
        rig.ledger
                .commit(List.of(new LedgerChange.PutTransfer(olderBy(row, Duration.ofDays(31)))))
                .join();

        // when
        rig.open();

        // then
        assertThat(rig.ledger.transfers(Direction.INCOMING)).isEmpty();
    }

    @Test
    void shouldNotKeepLateSubscriptionsWaitingForASealWithoutManifest() throws InterruptedException {
        // given
        Rig rig = new Rig(directory);
        rig.archive = true;
        rig.open();
        Shipment file = Shipment.file(1, "f", CONTENT);

        // when
        rig.publish(List.of(file.seal()));
        rig.run();

        // then
        assertThat(LateQuestion.answer(rig, 0, 0).unfinished()).isFalse();

        // when
        rig.publish(List.of(file.manifest()));
        rig.run();

        // then
        assertThat(LateQuestion.answer(rig, 0, 0).unfinished()).isTrue();
    }

    @Test
    void shouldReportTheNameWhenAnotherSubscriptionHasOnlyTheSeal() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        rig.publish(file);
        rig.run();
        TransferRow whole = rig.ledger.transfers(Direction.INCOMING).get(0);

        // when
        TransferRow sealOnly = new TransferRow(
                rig.ledger.newKey(),
                Direction.INCOMING,
                whole.transferId(),
                whole.topic(),
                "site2",
                "",
                TransferState.RECEIVING,
                0,
                whole.createdMillis(),
                "",
                whole.seal(),
                "",
                whole.detail());
        rig.ledger.commit(List.of(new LedgerChange.PutTransfer(sealOnly))).join();

        // then
        List<String> lines = new ArrayList<>();
        LedgerReport.receipts(rig.ledger, ReceiptSelection.ALL, lines::add);
        assertThat(lines).first().asString().contains("\"name\":\"f\"");
    }

    private static TransferRow olderBy(TransferRow row, Duration age) {
        return new TransferRow(
                row.key(),
                row.direction(),
                row.transferId(),
                row.topic(),
                row.subscription(),
                row.name(),
                row.state(),
                row.order(),
                row.createdMillis() - age.toMillis(),
                row.manifest(),
                row.seal(),
                row.path(),
                row.detail());
    }
}
