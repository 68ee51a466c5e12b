package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.Failures;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The receipts of one transfer, one for each subscription; not thread-safe. */
final class Answers {
    private final Map<String, Receipt> bySubscription = new LinkedHashMap<>();
    private final List<Runnable> listeners = new ArrayList<>();

    /** Takes a receipt in; a second one of the same subscription changes nothing. */
    void add(Receipt receipt) {
        if (bySubscription.putIfAbsent(receipt.subscription(), receipt) == null) {
            listeners.forEach(Runnable::run);
        }
    }

    /** Calls somebody, who returns at once, after each receipt that is taken in from now on. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    int count() {
        return bySubscription.size();
    }

    List<Receipt> all() {
        return new ArrayList<>(bySubscription.values());
    }

    /**
     * Returns why the receipts that are missing can never come.
     *
     * @param what the transfer, for the message
     * @param known the topic's subscriptions now
     */
    Optional<AgentException> hopeless(String what, OutgoingRecord record, Set<String> known) {
        List<String> sentTo = record.detail().sentTo();
        Set<String> open = new TreeSet<>(known);
        open.removeAll(bySubscription.keySet());
        if (!sentTo.isEmpty()) {
            open.retainAll(sentTo);
        }
        int wanted = record.detail().origin().receipts();
        int never = wanted - count() - open.size();
        return never <= 0
                ? Optional.empty()
                : Optional.of(new AgentException(
                        Code.REFUSED,
                        what + ": expected receipts of " + wanted + " subscriptions, found " + count()
                                + (count() == 0 ? "" : " (" + String.join(", ", bySubscription.keySet()) + ")")
                                + (sentTo.isEmpty() ? "" : "; it was sent to " + String.join(", ", sentTo))
                                + "; topic " + record.manifest().topic() + " now has "
                                + (known.isEmpty() ? "no subscription" : String.join(", ", known)) + ": " + never
                                + " can never come"));
    }

    /** Returns the failure that the subscriptions speak of, if any does. */
    Optional<AgentException> failure(String what) {
        List<String> failures = new ArrayList<>();
        boolean verification = false;
        for (Receipt receipt : bySubscription.values()) {
            if (receipt.outcome() == Receipt.Outcome.FAILED) {
                failures.add("subscription " + receipt.subscription() + " failed: " + Names.shown(receipt.reason()));
                verification |= Failures.isVerification(receipt);
            }
        }
        if (failures.isEmpty()) {
            return Optional.empty();
        }
        Code code = verification ? Code.VERIFICATION_FAILED : Code.TRANSFER_FAILED;
        return Optional.of(new AgentException(code, what + ": " + String.join("; ", failures)));
    }
}
