package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.SymlinkPolicy;
import io.longhaul.storage.Direction;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.TransferId;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AckLogTest {
    private static final long KEY = 7;
    private static final Manifest MANIFEST =
            new Manifest(new TransferId(1, 1), "t", "tree", true, 4096, -1, 0755, 0, "pub", 1);

    private final List<List<LedgerChange>> commits = new ArrayList<>();
    private final List<CompletableFuture<Void>> outcomes = new ArrayList<>();
    private final ManualDelay delay = new ManualDelay();
    private final Ledger ledger = (Ledger) Proxy.newProxyInstance(
            Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                if (!method.getName().equals("commitLater")) {
                    throw new UnsupportedOperationException(method.getName());
                }
                commits.add(((List<?>) arguments[0])
                        .stream()
                                .map(LedgerChange.class::cast)
                                .filter(change -> !(change instanceof LedgerChange.PutTransfer))
                                .toList());
                CompletableFuture<Void> outcome = new CompletableFuture<>();
                outcomes.add(outcome);
                return outcome;
            });
    private final OutgoingRecord record = record(false);
    private final EntryLog entries = new EntryLog(ledger, record, false, () -> {});
    private final AckLog acks =
            new AckLog(record, delay, entries, () -> record.detail().counters());

    private OutgoingRecord record(boolean spool) {
        return OutgoingRecord.found(
                ledger,
                new TransferRow(
                        KEY,
                        Direction.OUTGOING,
                        "1",
                        "t",
                        "",
                        "tree",
                        TransferState.SENDING,
                        0,
                        0,
                        new String(FrameCodec.toJson(MANIFEST), StandardCharsets.UTF_8),
                        "",
                        "/tree",
                        OutgoingDetail.of(new OutgoingDetail.Origin(
                                        OutgoingDetail.Kind.TREE,
                                        new SourceIdentity("1", 0, 0),
                                        spool,
                                        0,
                                        Set.of(),
                                        SymlinkPolicy.RECREATE,
                                        null))
                                .json()));
    }

    private static EntryRow entry(long number) {
        return new EntryRow(number, number, new byte[] {1}, new byte[0]);
    }

    private static PieceRow piece(long index) {
        return new PieceRow(index, 1, index, 0, 10, 0, true, -1);
    }

    private static LedgerChange entriesOf(EntryRow... rows) {
        return new LedgerChange.PutEntries(KEY, List.of(rows));
    }

    private static LedgerChange piecesOf(PieceRow... rows) {
        return new LedgerChange.PutPieces(KEY, List.of(rows));
    }

    private static StorageException full() {
        return new StorageException(StorageException.Code.NO_SPACE, "disk is full");
    }

    @Test
    void shouldHandOverEntriesAndPiecesAgainWhenTheyWereTurnedAway() {
        // given
        EntryRow first = entry(0);
        entries.accept(first);
        acks.safe(piece(0));
        delay.fire();
        outcomes.get(0).completeExceptionally(full());

        // when
        acks.safe(piece(1));
        delay.fire();

        // then
        assertThat(commits)
                .hasSize(2)
                .last()
                .isEqualTo(List.of(entriesOf(first), piecesOf(piece(0)), piecesOf(piece(1))));
    }

    @Test
    void shouldLeaveEntriesToWhoSpoolsThemWithTheirPieces() {
        // given
        OutgoingRecord spooled = record(true);
        EntryLog theirs = new EntryLog(ledger, spooled, false, () -> {});
        AckLog log = new AckLog(spooled, delay, theirs, () -> spooled.detail().counters());
        EntryRow first = entry(0);
        theirs.accept(first);

        // when
        log.safe(piece(0));
        delay.fire();

        // then
        assertThat(commits).containsExactly(List.of(new LedgerChange.MarkSafe(KEY, List.of(0L))));
        assertThat(theirs.drain()).containsExactly(entriesOf(first));
    }

    @Test
    void shouldNotHandOverWhileEntriesAreUnderWay() {
        // given
        EntryRow first = entry(0);
        entries.accept(first);
        acks.flush();

        // when
        acks.safe(piece(0));
        delay.fire();

        // then
        assertThat(commits).containsExactly(List.of(entriesOf(first)));

        // when
        outcomes.get(0).complete(null);

        // then
        assertThat(commits).hasSize(2).last().isEqualTo(List.of(piecesOf(piece(0))));
    }

    @Test
    void shouldGiveTheLastCommitWhatFailedMeanwhile() throws Exception {
        // given
        EntryRow first = entry(0);
        entries.accept(first);
        acks.safe(piece(0));
        delay.fire();

        // when
        FutureTask<List<LedgerChange>> last = new FutureTask<>(acks::last);
        Thread caller = new Thread(last);
        caller.start();
        while (caller.isAlive() && caller.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(last.isDone()).isFalse();
        outcomes.get(0).completeExceptionally(full());

        // then
        assertThat(last.get(10, TimeUnit.SECONDS)).containsExactly(entriesOf(first), piecesOf(piece(0)));

        // when
        acks.safe(piece(1));
        delay.fire();

        // then
        assertThat(commits).hasSize(1);
    }

    @Test
    void shouldHaveNothingLeftWhenAllIsRecorded() {
        // given
        acks.safe(piece(0));
        delay.fire();
        outcomes.get(0).complete(null);

        // then
        assertThat(acks.last()).isEmpty();
        assertThat(Optional.of(commits.get(0))).hasValue(List.of(piecesOf(piece(0))));
    }
}
