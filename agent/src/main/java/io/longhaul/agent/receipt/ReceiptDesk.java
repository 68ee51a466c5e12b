package io.longhaul.agent.receipt;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Where the receipts taken for what was published are judged: the signature must hold, and the first key of a
 * subscription is the one that is expected from then on.
 *
 * <p>A fault is said once for each subscription and kind.
 */
public final class ReceiptDesk {
    private static final int SAID_REMEMBERED = 1_000;

    private final Ledger ledger;
    private final Consumer<String> notices;
    private final Map<String, Boolean> said = new LinkedHashMap<>(16, 0.75f, true) { // guarded by itself
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > SAID_REMEMBERED;
                }
            };

    public ReceiptDesk(Ledger ledger, Consumer<String> notices) {
        this.ledger = ledger;
        this.notices = notices;
    }

    /**
     * What is to be done with a receipt.
     *
     * @param counts whether it may end a wait or a lease
     * @param changes what the ledger is to keep, together
     */
    public record Verdict(boolean counts, List<LedgerChange> changes) {}

    /** Judges a receipt that is taken now. Receipts of one subscription must be judged, and kept, one after the other. */
    public Verdict judge(Receipt receipt, long nowMillis) {
        List<ReceiptKeyRow> expected = ledger.receiptKeys(receipt.topic(), receipt.subscription());
        ReceiptStanding standing = ReceiptStanding.of(receipt, expected, nowMillis);
        String fault = standing.fault(receipt, expected, nowMillis);
        if (!fault.isEmpty()) {
            say(receipt, standing, fault);
        }
        ReceiptRow row = ReceiptSigner.row(Direction.OUTGOING, receipt, nowMillis);
        if (!standing.counts()) {
            return new Verdict(false, List.of(new LedgerChange.PutRefusedReceipt(row)));
        }
        List<LedgerChange> changes = new ArrayList<>();
        changes.add(new LedgerChange.PutReceipt(row));
        if (standing == ReceiptStanding.VALID && expected.isEmpty()) {
            String key = receipt.proof().map(ReceiptProof::key).orElseThrow();
            changes.add(new LedgerChange.PutReceiptKey(
                    new ReceiptKeyRow(receipt.topic(), receipt.subscription(), key, nowMillis)));
        }
        return new Verdict(true, changes);
    }

    private void say(Receipt receipt, ReceiptStanding standing, String fault) {
        // Whoever forges may name a new key each time.
        String key = standing.counts() ? receipt.proof().map(ReceiptProof::key).orElse("") : "";
        String about = receipt.topic() + " " + receipt.subscription() + " " + standing + " " + key;
        synchronized (said) {
            if (said.put(about, true) != null) {
                return;
            }
        }
        notices.accept("receipt of transfer " + receipt.transfer() + " from subscription " + receipt.subscription()
                + " of topic " + receipt.topic() + ", agent " + receipt.agent() + ": " + fault
                + (standing.counts() ? "; it counts, and is marked" : "; it does not count"));
    }
}
