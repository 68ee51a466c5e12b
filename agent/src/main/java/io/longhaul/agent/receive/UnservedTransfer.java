package io.longhaul.agent.receive;

import io.longhaul.storage.TransferRow;
import java.nio.file.Path;

/** A transfer that was coming in when its subscription was served last. */
public final class UnservedTransfer {
    private UnservedTransfer() {}

    /**
     * Gives it up; returns once the ledger has it. The receipt that says so is sent when the subscription is served again,
     * which must not begin meanwhile.
     */
    public static void cancel(ReceiverContext context, TransferRow row) {
        IncomingDetail detail = IncomingDetail.parse(row.detail());
        GivenUp given = GivenUp.of(context, row, detail, Receiver.CANCELLED);
        Commits.await(context.ledger().commit(given.changes()));
        context.disk()
                .deleteTree(TargetDirectory.staging(Path.of(detail.into()), row.transferId(), row.subscription()));
    }
}
