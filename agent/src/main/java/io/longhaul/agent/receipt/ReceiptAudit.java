package io.longhaul.agent.receipt;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptPlace;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import io.longhaul.wire.ReceiptSignature;
import io.longhaul.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks every receipt of a ledger: signatures, keys, chains.
 *
 * <p>The receipts given must be the whole chain, from 1 to its recorded end, each as the ledger's row says; a gap that damage has left stays a fault. Of the receipts
 * taken a publisher has those of its own transfers only: there numbers may be missing, but no number may be there twice for
 * one key, and where two neighbours are both there, the later must name the earlier.
 *
 * <p>There may be more receipts than fit the memory: each is forgotten once it was told of.
 */
public final class ReceiptAudit {
    private static final String OWN_CHAIN = "chain of the receipts given: expected ";

    private final Ledger ledger;
    private final Optional<ReceiptPlace> end;
    private final TakenChains taken;
    private final Consumer<AuditedReceipt> receipts;
    private boolean signed; // any that was given

    private ReceiptAudit(Ledger ledger, Consumer<AuditedReceipt> receipts) {
        this.ledger = ledger;
        // the end first: receipts that are given meanwhile only follow it
        this.end = ledger.receiptChainEnd();
        this.taken = TakenChains.of(ledger);
        this.receipts = receipts;
    }

    /**
     * Tells of every receipt, those taken for outgoing transfers, then those given for incoming ones; about a millisecond for
     * each. Returns what does not hold and is of no single receipt.
     */
    public static List<String> run(Ledger ledger, Consumer<AuditedReceipt> receipts) {
        ReceiptAudit audit = new ReceiptAudit(ledger, receipts);
        ledger.forEachReceipt(Direction.OUTGOING, audit::taken);
        ledger.forEachRefusedReceipt(audit::refused);
        ledger.forEachReceipt(Direction.INCOMING, (row, id) -> audit.given(row));
        return audit.ownChainFaults();
    }

    /** Returns what a row says; empty when it cannot be read. */
    static Optional<Receipt> receipt(ReceiptRow row) {
        try {
            return Optional.of(parse(row));
        } catch (WireException e) {
            return Optional.empty();
        }
    }

    private static Receipt parse(ReceiptRow row) {
        return FrameCodec.fromJson(row.receipt().getBytes(StandardCharsets.UTF_8), Receipt.class);
    }

    private void taken(ReceiptRow row, long id) {
        audit(row, true, (receipt, standing) -> {
            boolean holds = standing == ReceiptStanding.VALID || standing == ReceiptStanding.OTHER_KEY;
            return holds
                    ? receipt.proof().flatMap(proof -> taken.fault(row, id, proof)).stream()
                            .toList()
                    : List.of();
        });
    }

    private void refused(ReceiptRow row) {
        audit(row, false, (receipt, standing) -> List.of());
    }

    private void given(ReceiptRow row) {
        audit(row, true, (receipt, standing) -> {
            signed |= receipt.proof().isPresent();
            return placeFaults(row, receipt);
        });
    }

    /** Returns what does not hold of a receipt's place in its chain. */
    private interface PlaceCheck {
        List<String> faults(Receipt receipt, ReceiptStanding standing);
    }

    private void audit(ReceiptRow row, boolean counted, PlaceCheck place) {
        Receipt receipt;
        try {
            receipt = parse(row);
        } catch (WireException e) {
            List<String> faults = List.of("expected a receipt, found " + e.getMessage());
            receipts.accept(
                    new AuditedReceipt(row, Optional.empty(), ReceiptStanding.UNREADABLE, counted, faults, List.of()));
            return;
        }
        List<String> faults = new ArrayList<>();
        expect(faults, "transfer", row.transferId(), receipt.transfer().toString());
        expect(faults, "topic", row.topic(), receipt.topic());
        expect(faults, "subscription", row.subscription(), receipt.subscription());
        // behind the row, which became durable together with the first key that it needs, or after it
        List<ReceiptKeyRow> expected = row.direction() == Direction.INCOMING
                ? ledger.receiptKeys("", "")
                : ledger.receiptKeys(receipt.topic(), receipt.subscription());
        ReceiptStanding standing = ReceiptStanding.ofKept(receipt, expected, row.atMillis());
        String fault = standing.fault(receipt, expected, row.atMillis());
        if (!fault.isEmpty()) {
            faults.add(fault);
        }
        List<String> chainFaults = place.faults(receipt, standing);
        faults.addAll(chainFaults);
        receipts.accept(new AuditedReceipt(row, Optional.of(receipt), standing, counted, faults, chainFaults));
    }

    private static void expect(List<String> faults, String what, String expected, String found) {
        if (!expected.equals(found)) {
            faults.add(what + ": expected " + expected + " as in the ledger's row, found " + found);
        }
    }

    /** The ledger's row says where a receipt given belongs; the receipt, its predecessor and the end must agree. */
    private List<String> placeFaults(ReceiptRow row, Receipt receipt) {
        Optional<ReceiptPlace> place = ledger.receiptPlace(row.transferId(), row.subscription());
        Optional<Long> number = place.map(ReceiptPlace::number);
        Optional<Long> sequence = receipt.proof().map(ReceiptProof::sequence);
        if (!number.equals(sequence)) {
            return List.of("sequence: expected " + text(number) + " as in the ledger's row, found " + text(sequence));
        }
        return place.isEmpty() ? List.of() : placeFaults(place.get(), receipt);
    }

    private List<String> placeFaults(ReceiptPlace place, Receipt receipt) {
        List<String> faults = new ArrayList<>();
        String hash = ReceiptSignature.hash(receipt);
        expectHash(faults, place, "in the ledger's row", hash);
        end.filter(recorded -> recorded.number() == place.number())
                .ifPresent(recorded -> expectHash(faults, recorded, "recorded at the end of the chain", hash));
        Optional<ReceiptPlace> before = ledger.receiptPlaceBefore(place.number());
        long number = before.map(ReceiptPlace::number).orElse(0L);
        String previous = before.map(ReceiptPlace::hash).orElse(ReceiptSignature.NO_PREVIOUS);
        ReceiptProof proof = receipt.proof().orElseThrow();
        if (place.number() != number + 1) {
            faults.add("sequence: expected " + (number + 1) + " after " + number + ", found " + place.number()
                    + ": receipts between are missing");
        } else if (!proof.previous().equals(previous)) {
            faults.add(otherPrevious(number, previous, proof));
        }
        return faults;
    }

    private static String text(Optional<Long> number) {
        return number.map(String::valueOf).orElse("none");
    }

    private static void expectHash(List<String> faults, ReceiptPlace expected, String where, String found) {
        if (!expected.hash().equals(found)) {
            faults.add("content: expected SHA-256 " + expected.hash() + " as " + where + ", found " + found);
        }
    }

    /** Returns what is said of a receipt that names another predecessor than the one of that number and hash. */
    static String otherPrevious(long number, String hash, ReceiptProof proof) {
        return "previous: expected SHA-256 " + hash
                + (number == 0 ? " for the first of a chain" : " of receipt " + number) + ", found " + proof.previous();
    }

    private List<String> ownChainFaults() {
        List<String> faults = new ArrayList<>();
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
        if (signed && ledger.receiptKeys("", "").isEmpty()) {
            faults.add(OWN_CHAIN + "the key of this agent in the ledger, found none");
        }
        return faults;
    }
}
