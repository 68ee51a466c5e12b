package io.longhaul.agent.receive;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Receipt;
import java.util.List;

/**
 * A transfer that is given up here, with a receipt that says why.
 *
 * @param row its row from now on
 * @param changes what the ledger is told: nothing of its pieces stays
 */
record GivenUp(TransferRow row, List<LedgerChange> changes) {
    /**
     * Gives it up.
     *
     * @param before its row until now
     * @param detail what has been counted and timed
     */
    static GivenUp of(ReceiverContext context, TransferRow before, IncomingDetail detail, String reason) {
        TransferRow row = before.withState(TransferState.FAILED)
                .withDetail(detail.withOutcome(Receipt.Outcome.FAILED, reason).toJson());
        Receipt receipt = Receipts.make(context, row, Receipt.Outcome.FAILED, 0, "", "", reason);
        return new GivenUp(
                row,
                List.of(
                        new LedgerChange.DeleteTransfer(row.key()),
                        new LedgerChange.PutTransfer(row),
                        context.signer().append(receipt)));
    }
}
