package io.longhaul.agent.receipt;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import io.longhaul.wire.ReceiptSignature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The receipts taken, in the chains of those who signed them.
 *
 * <p>Of each one only its key, its number and where it is are in memory, since there may be very many; its neighbour is
 * read again from the ledger.
 */
final class TakenChains {
    private static final Comparator<Link> ORDER = Comparator.comparingInt(Link::key)
            .thenComparingLong(Link::sequence)
            .thenComparingLong(Link::atMillis)
            .thenComparingLong(Link::id);

    private final Ledger ledger;
    private final Map<String, Integer> keys = new HashMap<>();
    private final List<Link> links = new ArrayList<>();

    private record Link(int key, long sequence, long atMillis, long id) {}

    private TakenChains(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Reads all that a ledger has, whatever their signatures are worth: that takes long, and few of them matter. */
    static TakenChains of(Ledger ledger) {
        TakenChains chains = new TakenChains(ledger);
        ledger.forEachReceipt(
                Direction.OUTGOING,
                (row, id) -> ReceiptAudit.receipt(row).flatMap(Receipt::proof).ifPresent(proof -> {
                    int key = chains.keys.computeIfAbsent(proof.key(), unknown -> chains.keys.size());
                    chains.links.add(new Link(key, proof.sequence(), row.atMillis(), id));
                }));
        chains.links.sort(ORDER);
        return chains;
    }

    /**
     * Returns what does not hold of the place of a receipt whose signature holds: two of one number are two chains that the
     * signer made, and of two neighbours the later names the earlier.
     */
    Optional<String> fault(ReceiptRow row, long id, ReceiptProof proof) {
        Integer key = keys.get(proof.key());
        if (key == null) {
            return Optional.empty();
        }
        Link own = new Link(key, proof.sequence(), row.atMillis(), id);
        int found = Collections.binarySearch(links, own, ORDER);
        // one that was taken meanwhile is not found, but its neighbours are
        for (int i = (found < 0 ? -found - 1 : found) - 1; i >= 0 && isNear(links.get(i), own); i--) {
            Optional<ReceiptRow> before = ledger.receipt(links.get(i).id());
            Optional<Receipt> receipt = before.flatMap(ReceiptAudit::receipt);
            if (receipt.isEmpty()) {
                continue;
            }
            boolean same = links.get(i).sequence() == own.sequence();
            String hash = same ? "" : ReceiptSignature.hash(receipt.get());
            if (hash.equals(proof.previous())) {
                return Optional.empty();
            }
            if (ReceiptSignature.holds(receipt.get())) {
                return Optional.of(
                        same
                                ? "sequence: expected one receipt of number " + own.sequence()
                                        + " with this key, found another one: transfer "
                                        + before.get().transferId() + " of subscription "
                                        + before.get().subscription()
                                : ReceiptAudit.otherPrevious(own.sequence() - 1, hash, proof));
            }
        }
        return Optional.empty();
    }

    private static boolean isNear(Link before, Link own) {
        return before.key() == own.key() && before.sequence() >= own.sequence() - 1;
    }
}
