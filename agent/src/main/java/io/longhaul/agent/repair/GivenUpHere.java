package io.longhaul.agent.repair;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import java.nio.charset.StandardCharsets;

/** Whether publications of this ledger were given up; may be used from any thread. */
final class GivenUpHere {
    private GivenUpHere() {}

    /** Whether receivers were told to discard it; what failed by the receipt of one of them others may still want. */
    static boolean test(Ledger ledger, TransferRow row) {
        return row.state() == TransferState.CANCELLED
                || row.state() == TransferState.FAILED && !hasFailedThere(ledger, row.transferId());
    }

    private static boolean hasFailedThere(Ledger ledger, String transfer) {
        return ledger.receipts(Direction.OUTGOING, transfer).stream()
                .map(row -> FrameCodec.fromJson(row.receipt().getBytes(StandardCharsets.UTF_8), Receipt.class))
                .anyMatch(receipt -> receipt.outcome() == Receipt.Outcome.FAILED);
    }
}
