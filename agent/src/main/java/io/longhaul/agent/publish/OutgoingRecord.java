package io.longhaul.agent.publish;

import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.PublishedSource;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Seal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * One outgoing transfer's row in the ledger, and the only writer of it; may be used from any thread.
 *
 * <p>Changes are handed to the ledger in the order in which they are made here.
 */
final class OutgoingRecord {
    private final Ledger ledger;
    private final Manifest manifest;
    private TransferRow row; // guarded by this
    private OutgoingDetail detail; // guarded by this
    private boolean writable; // guarded by this: the row is in the ledger and has not ended
    private boolean retired; // guarded by this: another record may write the row from now on

    private OutgoingRecord(Ledger ledger, Manifest manifest, TransferRow row, OutgoingDetail detail, boolean writable) {
        this.ledger = ledger;
        this.manifest = manifest;
        this.row = row;
        this.detail = detail;
        this.writable = writable;
    }

    /** Makes one that is not in the ledger yet. */
    static OutgoingRecord fresh(Ledger ledger, TransferRow row, Manifest manifest, OutgoingDetail detail) {
        return new OutgoingRecord(ledger, manifest, row, detail, false);
    }

    /** Makes one of a row that was found in the ledger. */
    static OutgoingRecord found(Ledger ledger, TransferRow row) {
        Manifest manifest = FrameCodec.fromJson(row.manifest().getBytes(StandardCharsets.UTF_8), Manifest.class);
        return new OutgoingRecord(
                ledger,
                manifest,
                row,
                OutgoingDetail.parse(row.detail()),
                !row.state().isEnded());
    }

    Manifest manifest() {
        return manifest;
    }

    /** Returns what the source was at the beginning; empty for a stream. */
    synchronized Optional<PublishedSource> source() {
        SourceIdentity identity = detail.origin().identity();
        return row.path().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new PublishedSource(row.path(), identity.inode(), identity.length(), identity.modifiedNanos()));
    }

    synchronized TransferRow row() {
        return row;
    }

    synchronized OutgoingDetail detail() {
        return detail;
    }

    /** Writes the row for the first time, durably. */
    synchronized CompletableFuture<Void> begin() {
        writable = true;
        return ledger.commit(List.of(new LedgerChange.PutTransfer(withDetail())));
    }

    /** Whether the row was written. */
    synchronized boolean isBegun() {
        return writable || row.state().isEnded();
    }

    /** Whether the row is in the ledger and unfinished. */
    synchronized boolean isKept() {
        return writable;
    }

    /** Changes which receipts end it; written with the next change. */
    synchronized void awaitReceipts(PublishRequest wanted) {
        detail = detail.withReceipts(wanted);
    }

    /** Changes the detail, durably, together with other changes. */
    synchronized CompletableFuture<Void> save(List<LedgerChange> others, UnaryOperator<OutgoingDetail> change) {
        detail = change.apply(detail);
        return ledger.commit(plusRow(others));
    }

    /** Changes the detail, durably, for the last time: the row is left to a later run. */
    synchronized CompletableFuture<Void> retire(List<LedgerChange> others, UnaryOperator<OutgoingDetail> change) {
        retired = true;
        return save(others, change);
    }

    /** Changes the detail, in the ledger's own time; does nothing once the transfer has ended. */
    synchronized CompletableFuture<Void> saveLater(List<LedgerChange> others, UnaryOperator<OutgoingDetail> change) {
        if (!writable || retired) {
            return CompletableFuture.completedFuture(null);
        }
        detail = change.apply(detail);
        return ledger.commitLater(plusRow(others));
    }

    /** Moves to a state, durably, together with other changes. */
    synchronized CompletableFuture<Void> move(
            TransferState state, String seal, List<LedgerChange> others, UnaryOperator<OutgoingDetail> change) {
        writable = !state.isEnded();
        row = row.withState(state).withSeal(seal);
        return save(others, change);
    }

    /** Notes that receivers know that the transfer was given up. */
    synchronized CompletableFuture<Void> cancelled() {
        detail = detail.withEnd(false, detail.reason());
        return ledger.commitLater(List.of(new LedgerChange.PutTransfer(withDetail())));
    }

    /** Notes, in the ledger's own time, that whoever asked was told of the end, or asks for another transfer by now. */
    synchronized void told() {
        detail = detail.withSession(0);
        ledger.commitLater(List.of(new LedgerChange.PutTransfer(withDetail())));
    }

    /** Removes all of it. */
    synchronized CompletableFuture<Void> forget() {
        writable = false;
        return ledger.commit(List.of(new LedgerChange.DeleteTransfer(row.key())));
    }

    /** Returns a seal as the row has it. */
    static String json(Seal seal) {
        return new String(FrameCodec.toJson(seal), StandardCharsets.UTF_8);
    }

    private List<LedgerChange> plusRow(List<LedgerChange> others) {
        List<LedgerChange> all = new ArrayList<>(others);
        all.add(new LedgerChange.PutTransfer(withDetail()));
        return all;
    }

    private TransferRow withDetail() {
        row = row.withDetail(detail.json());
        return row;
    }
}
