package io.longhaul.agent.receipt;

import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import io.longhaul.wire.ReceiptSignature;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the signature of a receipt is worth. */
public enum ReceiptStanding {
    /** It is of a key that is expected, or of the first one seen. */
    VALID("valid"),
    /** There is none, and none was expected: the agent did not sign yet. */
    UNSIGNED("none"),
    /** There is none, though the subscription has signed before. */
    STRIPPED("missing"),
    /** It is of a key that holds, but not of one that is expected. */
    OTHER_KEY("other-key"),
    /** It is not of the key it names, over this content. */
    WRONG("wrong"),
    /** What is there is no receipt. */
    UNREADABLE("unreadable");

    private final String word;

    ReceiptStanding(String word) {
        this.word = word;
    }

    /** Returns the word for it in {@code --json}. */
    public String word() {
        return word;
    }

    /** Whether the receipt ends a wait: one without a signature proves as little, and as much, as one of another key. */
    boolean counts() {
        return this != WRONG && this != UNREADABLE;
    }

    /**
     * Returns the standing of a receipt.
     *
     * @param expected the keys of the subscription, oldest first; none before the first use
     * @param atMillis when it was taken or given
     */
    static ReceiptStanding of(Receipt receipt, List<ReceiptKeyRow> expected, long atMillis) {
        Optional<ReceiptProof> proof = receipt.proof();
        if (proof.isEmpty()) {
            return expected.stream().anyMatch(row -> row.sinceMillis() < atMillis) ? STRIPPED : UNSIGNED;
        }
        if (!ReceiptSignature.holds(receipt)) {
            return WRONG;
        }
        return expected.isEmpty() || isExpected(proof.get().key(), expected, atMillis) ? VALID : OTHER_KEY;
    }

    /**
     * Likewise for a receipt of a ledger, which keeps the key of the first one with it: a key that holds is no proof where
     * none is kept, as somebody may have removed those that were.
     */
    static ReceiptStanding ofKept(Receipt receipt, List<ReceiptKeyRow> expected, long atMillis) {
        ReceiptStanding standing = of(receipt, expected, atMillis);
        return standing == VALID && expected.isEmpty() ? OTHER_KEY : standing;
    }

    /** Whether a key is expected at that time: it is known, and no other one has taken its place before. */
    static boolean isExpected(String key, List<ReceiptKeyRow> known, long atMillis) {
        return known.stream()
                .filter(row -> row.key().equals(key))
                .anyMatch(row -> known.stream()
                        .noneMatch(later -> later.sinceMillis() > row.sinceMillis() && later.sinceMillis() < atMillis));
    }

    /** Returns what was expected and what was found, for a standing that is no good. */
    String fault(Receipt receipt, List<ReceiptKeyRow> expected, long atMillis) {
        String keys = expected.isEmpty()
                ? "a key that the ledger keeps"
                : "key "
                        + expected.stream()
                                .filter(row -> isExpected(row.key(), expected, atMillis))
                                .map(row -> ReceiptSignature.fingerprint(row.key()))
                                .distinct()
                                .collect(Collectors.joining(" or "));
        String found = receipt.proof()
                .map(proof -> ReceiptSignature.fingerprint(proof.key()))
                .orElse("none");
        return switch (this) {
            case VALID, UNSIGNED -> "";
            case STRIPPED -> "signature: expected one of " + keys + ", found none";
            case OTHER_KEY -> "signature: expected one of " + keys + ", found one of key " + found;
            case WRONG -> "signature: expected one of key " + found + " over this content, found another";
            case UNREADABLE -> "expected a receipt, found something else";
        };
    }
}
