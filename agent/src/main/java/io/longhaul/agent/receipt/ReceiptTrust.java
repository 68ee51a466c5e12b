package io.longhaul.agent.receipt;

import io.longhaul.agent.AgentException;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import io.longhaul.wire.ReceiptSignature;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Accepts a new key of subscriptions whose receipts are taken: a person has asked the other side for its fingerprint. */
public final class ReceiptTrust {
    private ReceiptTrust() {}

    /**
     * Accepts the key for each subscription that has sent a receipt with it, in the place of the one before; durable when
     * this returns.
     *
     * @return the keys accepted; refused when no receipt in the ledger is signed with it
     */
    public static List<ReceiptKeyRow> accept(Ledger ledger, String fingerprint, long nowMillis) {
        Set<List<String>> seen = new LinkedHashSet<>();
        ledger.forEachReceipt(
                Direction.OUTGOING,
                (row, number) -> ReceiptAudit.receipt(row)
                        .filter(receipt -> isSigned(receipt, fingerprint))
                        .ifPresent(receipt -> seen.add(List.of(
                                receipt.topic(),
                                receipt.subscription(),
                                receipt.proof().map(ReceiptProof::key).orElseThrow()))));
        if (seen.isEmpty()) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    "no receipt taken is signed with a key " + Names.shown(fingerprint)
                            + "; 'longhaul receipts' shows those that are");
        }
        List<ReceiptKeyRow> accepted = new ArrayList<>();
        List<LedgerChange> changes = new ArrayList<>();
        for (List<String> each : seen) {
            ReceiptKeyRow row = new ReceiptKeyRow(each.get(0), each.get(1), each.get(2), nowMillis);
            List<ReceiptKeyRow> known = ledger.receiptKeys(row.topic(), row.subscription());
            if (!ReceiptStanding.isExpected(row.key(), known, Long.MAX_VALUE)) {
                changes.add(new LedgerChange.PutReceiptKey(row));
            }
            accepted.add(row);
        }
        ledger.commit(changes).join();
        return accepted;
    }

    private static boolean isSigned(Receipt receipt, String fingerprint) {
        return receipt.proof()
                        .filter(proof ->
                                ReceiptSignature.fingerprint(proof.key()).equals(fingerprint))
                        .isPresent()
                && ReceiptSignature.holds(receipt);
    }
}
