package io.longhaul.agent.receive;

import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** What was on its way into a subscription when that was removed. */
public final class RemovedSubscription {
    private static final Set<TransferState> ON_ITS_WAY = Set.of(TransferState.RECEIVING, TransferState.COMPLETE);

    private final Ledger ledger;
    private final Disk disk;
    private final Unpromised unpromised;
    private final Consumer<String> notices;

    /** Takes what keeps a transfer from being promised to others while it is forgotten. */
    public RemovedSubscription(Ledger ledger, Disk disk, Unpromised unpromised, Consumer<String> notices) {
        this.ledger = ledger;
        this.disk = disk;
        this.unpromised = unpromised;
        this.notices = notices;
    }

    /**
     * Forgets it, without a receipt, and since when the subscription catches up: one of that name that is made later begins
     * anew, and may have all of it. What others were promised repairs of stays, as does what is just being put in place. Nobody
     * may begin to serve the subscription meanwhile.
     */
    public void forget(String topic, String subscription) {
        String start = CatchUpStart.setting(topic, subscription);
        ledger.setting(start).ifPresent(kept -> commit(new LedgerChange.DeleteSetting(start)));
        List<TransferRow> all = ledger.incoming(topic, subscription, ON_ITS_WAY);
        int gone = 0;
        for (TransferRow row : all) {
            gone += unpromised.run(row.transferId(), () -> forget(row)) ? 1 : 0;
        }
        if (!all.isEmpty()) {
            int kept = all.size() - gone;
            notices.accept(
                    "subscription " + subscription + " of topic " + topic + ": removed what had come of unfinished"
                            + " transfers: " + gone
                            + (kept == 0 ? "" : "; kept, as others were promised repairs of it: " + kept));
        }
    }

    /** Files first: a crash in between leaves nothing that nobody remembers. */
    private void forget(TransferRow row) {
        Path into = Path.of(IncomingDetail.parse(row.detail()).into());
        Path staging = TargetDirectory.staging(into, row.transferId(), row.subscription());
        if (Files.exists(staging)) {
            disk.deleteTree(staging);
            disk.syncDirectory(Objects.requireNonNull(staging.getParent()));
        }
        commit(new LedgerChange.DeleteTransfer(row.key()));
    }

    private void commit(LedgerChange change) {
        Commits.await(ledger.commit(List.of(change)));
    }
}
