package io.longhaul.agent.receive;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.Seal;
import java.util.List;

/**
 * Ends transfers that are incomplete when a later one of their name is in place: nobody would see them, and what they
 * lack may never come.
 *
 * <p>One that others were promised repairs of stays until the promise is kept. Receiver thread only.
 */
final class Supersession {
    private final ReceiverContext context;
    private final IncomingTransfers transfers;
    private final Placement placement;
    private final Receipts receipts;
    private final Announcer announcer;

    Supersession(
            ReceiverContext context,
            IncomingTransfers transfers,
            Placement placement,
            Receipts receipts,
            Announcer announcer) {
        this.context = context;
        this.transfers = transfers;
        this.placement = placement;
        this.receipts = receipts;
        this.announcer = announcer;
    }

    /** Looks at what has the name of a transfer that is over. */
    void after(Incoming over, WriteBatch batch) {
        List<Incoming> namesakes = transfers.active().stream()
                .filter(each -> each.manifest.name().equals(over.manifest.name()))
                .toList();
        namesakes.forEach(each -> look(each, batch));
    }

    /** Ends a transfer if it is incomplete and a later one of its name is in place. */
    void look(Incoming incoming, WriteBatch batch) {
        if (!incoming.finishing && placement.isSuperseded(incoming) && !isLeased(incoming)) {
            end(incoming, batch);
        }
    }

    private boolean isLeased(Incoming incoming) {
        return !context.ledger().leases(incoming.id()).isEmpty();
    }

    private void end(Incoming incoming, WriteBatch batch) {
        TransferRow row = incoming.row
                .withState(TransferState.DELIVERED)
                .withPath("")
                .withDetail(incoming.detail(context.nanoTime().getAsLong())
                        .withOutcome(Receipt.Outcome.SUPERSEDED, "")
                        .toJson());
        Seal seal = incoming.seal;
        Receipt receipt = Receipts.make(
                context,
                row,
                Receipt.Outcome.SUPERSEDED,
                seal == null ? 0 : seal.length(),
                seal == null ? "" : seal.digest(),
                "",
                "");
        batch.change(new LedgerChange.DeleteTransfer(row.key()));
        receipts.changes(row, receipt).forEach(batch::change);
        batch.afterwards(() -> {
            incoming.staging.discard();
            receipts.send(row);
        });
        announcer.progress(incoming.progress("done"));
        transfers.end(incoming);
        batch.ends(incoming.id());
    }
}
