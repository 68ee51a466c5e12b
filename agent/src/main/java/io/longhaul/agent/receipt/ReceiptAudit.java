package io.longhaul.agent.receipt;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.ReceiptPlace;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import io.longhaul.wire.ReceiptSignature;
import io.longhaul.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks every receipt of a ledger: signatures, keys, chains.
 *
 * <p>The receipts given must be the whole chain, from 1 to its recorded end, each as the ledger's row says. Of the receipts taken a publisher has those of its
 * own transfers only: there numbers may be missing, but no number may be there twice for one key, and where two
 * neighbours are both there, the later must name the earlier.
 */
public final class ReceiptAudit {
    private static final String OWN_CHAIN = "chain of the receipts given: expected ";

    private final Ledger ledger;
    private final Map<List<String>, List<ReceiptKeyRow>> keys = new HashMap<>();
    private final List<Item> items = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private static final class Item {
        final ReceiptRow row;
        final boolean counted;
        final List<String> faults = new ArrayList<>();
        final List<String> chainFaults = new ArrayList<>();

        @Nullable
        Receipt receipt;

        ReceiptStanding standing = ReceiptStanding.UNREADABLE;

        Item(ReceiptRow row, boolean counted) {
            this.row = row;
            this.counted = counted;
        }

        AuditedReceipt audited() {
            List<String> all = new ArrayList<>(faults);
            all.addAll(chainFaults);
            return new AuditedReceipt(
                    row, Optional.ofNullable(receipt), standing, counted, all, List.copyOf(chainFaults));
        }

        Optional<ReceiptProof> proof() {
            return receipt == null ? Optional.empty() : receipt.proof();
        }

        /** Returns the place in the chain that it claims; only for one that claims one. */
        long sequence() {
            return proof().orElseThrow().sequence();
        }

        String hash() {
            return receipt == null ? "" : ReceiptSignature.hash(receipt);
        }

        String named() {
            return "transfer " + row.transferId() + " of subscription " + row.subscription();
        }
    }

    private ReceiptAudit(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Looks at everything; about a millisecond for each receipt. */
    public static ReceiptAudit of(Ledger ledger) {
        ReceiptAudit audit = new ReceiptAudit(ledger);
        // the end first: receipts that are given meanwhile only follow it
        Optional<ReceiptPlace> end = ledger.receiptChainEnd();
        audit.read();
        audit.checkOwnChain(end);
        audit.checkTaken();
        return audit;
    }

    /** Returns every receipt: those taken for outgoing transfers, then those given for incoming ones. */
    public List<AuditedReceipt> receipts() {
        return items.stream().map(Item::audited).toList();
    }

    /** Returns what does not hold and is of no single receipt. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    private void read() {
        ledger.receipts(Direction.OUTGOING).forEach(row -> items.add(new Item(row, true)));
        ledger.refusedReceipts().forEach(row -> items.add(new Item(row, false)));
        ledger.receipts(Direction.INCOMING).forEach(row -> items.add(new Item(row, true)));
        items.forEach(this::read);
    }

    private void read(Item item) {
        ReceiptRow row = item.row;
        Receipt receipt;
        try {
            receipt = FrameCodec.fromJson(row.receipt().getBytes(StandardCharsets.UTF_8), Receipt.class);
        } catch (WireException e) {
            item.faults.add("expected a receipt, found " + e.getMessage());
            return;
        }
        item.receipt = receipt;
        expect(item, "transfer", row.transferId(), receipt.transfer().toString());
        expect(item, "topic", row.topic(), receipt.topic());
        expect(item, "subscription", row.subscription(), receipt.subscription());
        List<ReceiptKeyRow> expected = row.direction() == Direction.INCOMING
                ? keys("", "")
                : keys(receipt.topic(), receipt.subscription());
        item.standing = ReceiptStanding.ofKept(receipt, expected, row.atMillis());
        String fault = item.standing.fault(receipt, expected, row.atMillis());
        if (!fault.isEmpty()) {
            item.faults.add(fault);
        }
    }

    /** Those of a receipt that was read before: they are kept together with the first one that needs them. */
    private List<ReceiptKeyRow> keys(String topic, String subscription) {
        return keys.computeIfAbsent(List.of(topic, subscription), names -> ledger.receiptKeys(topic, subscription));
    }

    private static void expect(Item item, String what, String expected, String found) {
        if (!expected.equals(found)) {
            item.faults.add(what + ": expected " + expected + " as in the ledger's row, found " + found);
        }
    }

    private void checkOwnChain(Optional<ReceiptPlace> end) {
        boolean signed = false;
        for (Item item : items) {
            if (item.row.direction() == Direction.INCOMING && item.receipt != null) {
                signed |= item.proof().isPresent();
                checkPlace(item, end);
            }
        }
        long last = ledger.receiptPlaceBefore(Long.MAX_VALUE)
                .map(ReceiptPlace::number)
                .orElse(0L);
        if (end.isPresent() && last < end.get().number()) {
            faults.add(OWN_CHAIN + "its end at number " + end.get().number() + ", found it at " + last
                    + ": receipts are missing");
        }
        // the first of all may have been given since
        if (signed && end.or(ledger::receiptChainEnd).isEmpty()) {
            faults.add(OWN_CHAIN + "a record of its end, at number " + last + " or later, found none");
        }
        if (signed && keys("", "").isEmpty()) {
            faults.add(OWN_CHAIN + "the key of this agent in the ledger, found none");
        }
    }

    /** The ledger's row says where a receipt belongs; the receipt, its predecessor and the end must agree. */
    private void checkPlace(Item item, Optional<ReceiptPlace> end) {
        Optional<ReceiptPlace> place = ledger.receiptPlace(item.row.transferId(), item.row.subscription());
        Optional<Long> number = place.map(ReceiptPlace::number);
        Optional<Long> sequence = item.proof().map(ReceiptProof::sequence);
        if (!number.equals(sequence)) {
            item.chainFaults.add("sequence: expected " + text(number) + " as in the ledger's row, found " + text(sequence));
        } else if (place.isPresent()) {
            expectHash(item, place.get(), "in the ledger's row");
            end.filter(recorded -> recorded.number() == item.sequence())
                    .ifPresent(recorded -> expectHash(item, recorded, "recorded at the end of the chain"));
            checkPredecessor(item);
        }
    }

    private static String text(Optional<Long> number) {
        return number.map(String::valueOf).orElse("none");
    }

    private static void expectHash(Item item, ReceiptPlace expected, String where) {
        if (!expected.hash().equals(item.hash())) {
            item.chainFaults.add(
                    "content: expected SHA-256 " + expected.hash() + " as " + where + ", found " + item.hash());
        }
    }

    private void checkPredecessor(Item item) {
        Optional<ReceiptPlace> before = ledger.receiptPlaceBefore(item.sequence());
        long number = before.map(ReceiptPlace::number).orElse(0L);
        if (item.sequence() == number + 1) {
            expectPrevious(
                    item, number, before.map(ReceiptPlace::hash).orElse(ReceiptSignature.NO_PREVIOUS));
        } else {
            item.chainFaults.add("sequence: expected " + (number + 1) + " after " + number + ", found "
                    + item.sequence() + ": receipts between are missing");
        }
    }

    private static void expectPrevious(Item item, long number, String hash) {
        String found = item.proof().orElseThrow().previous();
        if (!found.equals(hash)) {
            item.chainFaults.add("previous: expected SHA-256 " + hash
                    + (number == 0 ? " for the first of a chain" : " of receipt " + number) + ", found " + found);
        }
    }

    private void checkTaken() {
        Map<String, List<Item>> chains = new LinkedHashMap<>();
        for (Item item : items) {
            boolean holds = item.standing == ReceiptStanding.VALID || item.standing == ReceiptStanding.OTHER_KEY;
            if (holds && item.row.direction() == Direction.OUTGOING) {
                chains.computeIfAbsent(item.proof().orElseThrow().key(), key -> new ArrayList<>())
                        .add(item);
            }
        }
        chains.values().forEach(ReceiptAudit::checkTaken);
    }

    /** One key's receipts whose signatures hold: two of one number are two chains that the signer made. */
    private static void checkTaken(List<Item> chain) {
        chain.sort(Comparator.comparingLong(Item::sequence));
        for (int i = 1; i < chain.size(); i++) {
            Item before = chain.get(i - 1);
            Item item = chain.get(i);
            if (item.sequence() == before.sequence()) {
                item.chainFaults.add("sequence: expected one receipt of number " + item.sequence()
                        + " with this key, found another one: " + before.named());
            } else if (item.sequence() == before.sequence() + 1) {
                expectPrevious(item, before.sequence(), before.hash());
            }
        }
    }
}
