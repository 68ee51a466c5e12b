package io.longhaul.agent.receipt;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptLink;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.Store;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptSignature;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Appends the receipts of an agent to its chain, each signed with its key.
 *
 * <p>The ledger gives a receipt its number when it commits it, on its own thread; signing there, about a
 * millisecond for each, is what keeps numbers without gaps and forks whatever fails; only what a damaged ledger has lost leaves a gap.
 */
public final class ReceiptSigner {
    private final ReceiptKey key;

    /** Signs with a key that need be in no file. */
    public ReceiptSigner(ReceiptKey key) {
        this.key = key;
    }

    /**
     * Returns the signer of a store, with a key made at its first use; see {@link ReceiptKey#open} for refusals.
     *
     * @param notices takes a line when the key is another one than before
     */
    public static ReceiptSigner open(Store store, Clock clock, Consumer<String> notices) {
        ReceiptKey key = ReceiptKey.open(store.directory(), store.disk(), clock);
        List<ReceiptKeyRow> before = store.ledger().receiptKeys("", "");
        if (!ReceiptStanding.isExpected(key.publicKey(), before, Long.MAX_VALUE)) {
            store.ledger()
                    .commit(List.of(new LedgerChange.PutReceiptKey(ReceiptKeyRow.own(key.publicKey(), clock.millis()))))
                    .join();
            if (!before.isEmpty()) {
                notices.accept("receipts are signed with key " + key.fingerprint() + " from now on, before it was "
                        + before.stream()
                                .map(row -> ReceiptSignature.fingerprint(row.key()))
                                .collect(Collectors.joining(", "))
                        + ": publishers must accept it ('longhaul receipts --trust " + key.fingerprint() + "')");
            }
        }
        skipWhatWasLost(store.ledger(), clock, notices);
        return new ReceiptSigner(key);
    }

    /**
     * Numbers that were given before the ledger lost them would make two chains: to publishers, a fork. The time in milliseconds
     * is beyond all that were given, also after an earlier loss.
     */
    private static void skipWhatWasLost(Ledger ledger, Clock clock, Consumer<String> notices) {
        if (ledger.setting(Ledger.LOST_SETTING).isEmpty()) {
            return;
        }
        ledger.commit(List.of(
                        new LedgerChange.SkipReceiptNumbers(clock.millis()),
                        new LedgerChange.DeleteSetting(Ledger.LOST_SETTING)))
                .join();
        notices.accept("the ledger has lost changes, receipts perhaps among them: those from now on have numbers from "
                + ledger.receiptChainEnd().map(end -> end.number() + 1).orElse(1L) + " on");
    }

    /** Returns the change that gives this receipt its place and signature; one that was given before stays. */
    public LedgerChange append(Receipt receipt) {
        return new LedgerChange.AppendReceipt(
                row(Direction.INCOMING, receipt, receipt.atMillis()), (number, previous) -> {
                    Receipt signed = ReceiptSignature.sign(
                            receipt, number, previous.isEmpty() ? ReceiptSignature.NO_PREVIOUS : previous, key.keys());
                    return new ReceiptLink.Linked(json(signed), ReceiptSignature.hash(signed));
                });
    }

    static ReceiptRow row(Direction direction, Receipt receipt, long atMillis) {
        return new ReceiptRow(
                direction,
                receipt.transfer().toString(),
                receipt.topic(),
                receipt.subscription(),
                atMillis,
                json(receipt));
    }

    private static String json(Receipt receipt) {
        return new String(FrameCodec.toJson(receipt), StandardCharsets.UTF_8);
    }
}
