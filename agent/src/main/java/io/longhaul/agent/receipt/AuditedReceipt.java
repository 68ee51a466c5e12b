package io.longhaul.agent.receipt;

import io.longhaul.storage.ReceiptRow;
import io.longhaul.wire.Receipt;
import java.util.List;
import java.util.Optional;

/**
 * One receipt of a ledger, as the audit found it.
 *
 * @param row what the ledger has
 * @param receipt what that says; empty when it cannot be read
 * @param standing what its signature is worth
 * @param counted whether it was let count when it was taken; always for those given
 * @param faults what does not hold, each with what was expected and found; empty when all does
 * @param chainFaults those of them that say something about other receipts of its chain, too: missing, changed, or there twice
 */
public record AuditedReceipt(
        ReceiptRow row,
        Optional<Receipt> receipt,
        ReceiptStanding standing,
        boolean counted,
        List<String> faults,
        List<String> chainFaults) {}
