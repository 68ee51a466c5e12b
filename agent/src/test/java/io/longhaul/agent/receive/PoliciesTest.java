package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.longhaul.agent.ExistingPolicy;
import io.longhaul.storage.Direction;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTest {
    private static final byte[] OLD = Shipment.random(1, 5_000);
    private static final byte[] NEW = Shipment.random(2, 6_000);

    @TempDir
    Path directory;

    private Rig rig(ExistingPolicy policy) {
        Rig rig = new Rig(directory);
        rig.existing = policy;
        return rig.open();
    }

    @Test
    void shouldReplaceWhenNameExists() {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);

        // when
        rig.publish(Shipment.file(1, "f", OLD));
        rig.publish(Shipment.file(2, "f", NEW));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(NEW);
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsOnly(Receipt.Outcome.DELIVERED)
                .hasSize(2);
    }

    @Test
    void shouldReplaceLinkItselfWhenNameIsLink() throws IOException {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);
        Path outside = Files.writeString(directory.resolve("outside"), "untouched");
        Files.createSymbolicLink(rig.into.resolve("f"), outside);

        // when
        rig.publish(Shipment.file(1, "f", NEW));
        rig.run();

        // then
        assertThat(outside).hasContent("untouched");
        assertThat(rig.into.resolve("f")).isRegularFile().hasBinaryContent(NEW);
    }

    @Test
    void shouldKeepOldOneWhenPolicyIsKeep() {
        // given
        Rig rig = rig(ExistingPolicy.KEEP);

        // when
        rig.publish(Shipment.file(1, "f", OLD));
        rig.publish(Shipment.file(2, "f", NEW));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(OLD);
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.KEPT);
        assertThat(rig.receipts().get(1).path()).isEqualTo("f");
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldTakeFreeNamesWhenPolicyIsRename() {
        // given
        Rig rig = rig(ExistingPolicy.RENAME);

        // when
        rig.publish(Shipment.file(1, "d/f", OLD));
        rig.publish(Shipment.file(2, "d/f", NEW));
        rig.publish(Shipment.file(3, "d/f", OLD));
        rig.run();

        // then
        assertThat(rig.content().keySet()).containsExactly("d", "d/f", "d/f~1", "d/f~2");
        assertThat(rig.receipts()).extracting(Receipt::path).containsExactly("d/f", "d/f~1", "d/f~2");
    }

    @Test
    void shouldShortenWhenNewNameWouldBeTooLong() {
        // given
        Rig rig = rig(ExistingPolicy.RENAME);
        String name = "ü".repeat(127) + "x";

        // when
        rig.publish(Shipment.file(1, name, OLD));
        rig.publish(Shipment.file(2, name, NEW));
        rig.run();

        // then
        assertThat(rig.into.resolve("ü".repeat(126) + "~1")).hasBinaryContent(NEW);
    }

    @Test
    void shouldEndWithNewerWhenOlderCompletesLater() {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);
        List<Frame> older = Shipment.file(1, "f", OLD).frames();
        List<Frame> newer = Shipment.file(2, "f", NEW).frames();

        // when
        rig.publish(older.subList(0, 2));
        rig.publish(newer);
        rig.run();
        rig.publish(older.subList(2, older.size()));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(NEW);
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.SUPERSEDED);
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldEndOlderWhenItStaysIncompleteAndNewerIsInPlace() {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);
        List<Frame> older = new ArrayList<>(Shipment.file(1, "f", OLD).frames());
        older.remove(1);

        // when
        rig.publish(older);
        rig.publish(Shipment.file(2, "f", NEW));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(NEW);
        assertThat(rig.receipts())
                .extracting(Receipt::transfer, Receipt::outcome)
                .containsExactly(
                        tuple(Shipment.id(2), Receipt.Outcome.DELIVERED),
                        tuple(Shipment.id(1), Receipt.Outcome.SUPERSEDED));
        assertThat(rig.pipeline().transfers().progress()).isEmpty();
        assertThat(rig.leftovers()).isEmpty();
        assertThat(rig.ledger.transfers(Direction.INCOMING)).allMatch(row -> row.state() == TransferState.RECEIPTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "durable"})
    void shouldEndOlderAllTheSameWhenTheDiskWasFullForItsEnd(String step) {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);
        List<Frame> older = new ArrayList<>(Shipment.file(1, "f", OLD).frames());
        older.remove(1);
        rig.publish(older);
        rig.run();
        rig.journal.fullFor(each -> each.startsWith(step) && each.contains("DeleteTransfer"));
        rig.whileAsleep = () -> rig.journal.fullFor(each -> false);

        // when
        rig.publish(Shipment.file(2, "f", NEW));
        rig.run(2_000_000_000L);

        // then
        assertThat(rig.sleeps).isPositive();
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.SUPERSEDED);
        rig.kill();
        rig.open();
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldEndOlderAtStartWhenPolicyIsReplaceNow() {
        // given
        Rig rig = rig(ExistingPolicy.RENAME);
        List<Frame> older = Shipment.file(1, "f", OLD).frames();
        rig.publish(older.subList(0, 2));
        rig.publish(Shipment.file(2, "f", NEW));
        rig.run();
        assertThat(rig.pipeline().transfers().progress()).hasSize(1);
        rig.kill();

        // when
        rig.existing = ExistingPolicy.REPLACE;
        rig.open().run();

        // then
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.SUPERSEDED);
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldKeepOlderWhenRepairsOfItArePromised() {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);
        List<Frame> older = Shipment.file(1, "f", OLD).frames();
        rig.publish(older.subList(0, 2));
        rig.run();
        LeaseRow lease = new LeaseRow(Shipment.id(1).toString(), Shipment.TOPIC, "somebody", 1, 0);
        rig.ledger.commit(List.of(new LedgerChange.PutLease(lease))).join();

        // when
        rig.publish(Shipment.file(2, "f", NEW));
        rig.run();

        // then
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
        assertThat(rig.leftovers()).isNotEmpty();
    }

    @Test
    void shouldEndWithNewerWhenOlderCompletesFirst() {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);
        List<Frame> mixed = new ArrayList<>();
        List<Frame> older = Shipment.file(1, "f", OLD).frames();
        List<Frame> newer = Shipment.file(2, "f", NEW).frames();
        mixed.add(older.get(0));
        mixed.add(newer.get(0));
        mixed.addAll(older.subList(1, older.size()));
        mixed.addAll(newer.subList(1, newer.size()));

        // when
        rig.publish(mixed);
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(NEW);
        assertThat(rig.receipts()).hasSize(2);
    }

    @Test
    void shouldKeepEveryTransferUnderItsIdentityWhenArchiving() {
        // given
        Rig rig = new Rig(directory);
        rig.archive = true;
        rig.open();

        // when
        rig.publish(Shipment.file(1, "f", OLD));
        rig.publish(Shipment.file(2, "f", NEW));
        rig.run();

        // then
        assertThat(rig.into.resolve(Shipment.id(1) + "/f")).hasBinaryContent(OLD);
        assertThat(rig.into.resolve(Shipment.id(2) + "/f")).hasBinaryContent(NEW);
    }

    @Test
    void shouldDiscardEverythingWhenPublisherCancels() {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);
        List<Frame> frames = Shipment.file(1, "f", OLD).frames();

        // when
        rig.publish(frames.subList(0, 2));
        rig.publish(List.of(new Cancel(Shipment.id(1), "source changed")));
        rig.publish(frames.subList(2, frames.size()));
        rig.run();

        // then
        assertThat(rig.content()).isEmpty();
        assertThat(rig.leftovers()).isEmpty();
        assertThat(rig.receipts()).isEmpty();
        assertThat(rig.notices).anyMatch(line -> line.contains("cancelled") && line.contains("source changed"));
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldIgnoreWhatComesWhenCancelCameFirst() {
        // given
        Rig rig = rig(ExistingPolicy.REPLACE);

        // when
        rig.publish(List.of(new Cancel(Shipment.id(1), "changed my mind")));
        rig.publish(Shipment.file(1, "f", OLD));
        rig.run();

        // then
        assertThat(rig.content()).isEmpty();
        assertThat(rig.backlog()).isZero();
    }
}
