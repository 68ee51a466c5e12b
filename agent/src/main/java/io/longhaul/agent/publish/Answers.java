package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.Failures;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

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

    /** Returns how many subscriptions have the transfer. */
    int confirmed() {
        return (int)
                bySubscription.values().stream().filter(Answers::isConfirmation).count();
    }

    private static boolean isConfirmation(Receipt receipt) {
        return receipt.outcome() != Receipt.Outcome.FAILED;
    }

    List<Receipt> all() {
        return new ArrayList<>(bySubscription.values());
    }

    /**
     * Whether nobody is waited for any more: enough subscriptions have it, or as many as should have answered, and those that
     * may still have it are too few.
     */
    boolean isDecided(OutgoingRecord record) {
        int wanted = wanted(record);
        List<String> sentTo = record.detail().sentTo();
        return confirmed() >= wanted
                || bySubscription.size() >= wanted
                        && !sentTo.isEmpty() // else who else may have it is not known yet
                        && confirmed() + open(sentTo).size() < wanted;
    }

    private static int wanted(OutgoingRecord record) {
        return record.detail().origin().receipts();
    }

    private Set<String> open(Collection<String> subscriptions) {
        Set<String> open = new TreeSet<>(subscriptions);
        open.removeAll(bySubscription.keySet());
        return open;
    }

    /**
     * Returns why the receipts that are missing can never come.
     *
     * @param what the transfer, for the message
     * @param known the topic's subscriptions now
     */
    Optional<AgentException> hopeless(String what, OutgoingRecord record, Set<String> known) {
        List<String> sentTo = record.detail().sentTo();
        Set<String> open = open(known);
        if (!sentTo.isEmpty()) {
            open.retainAll(sentTo);
        }
        int never = wanted(record) - confirmed() - open.size();
        return never <= 0
                ? Optional.empty()
                : Optional.of(new AgentException(
                        Code.REFUSED,
                        what + ": expected receipts of " + wanted(record) + " subscriptions, found " + confirmed()
                                + (confirmed() == 0 ? "" : " (" + String.join(", ", names()) + ")")
                                + failures().stream().map("; "::concat).collect(Collectors.joining())
                                + (sentTo.isEmpty() ? "" : "; it was sent to " + String.join(", ", sentTo))
                                + "; topic " + record.manifest().topic() + " now has "
                                + (known.isEmpty() ? "no subscription" : String.join(", ", known)) + ": " + never
                                + " can never come"));
    }

    private List<String> names() {
        return bySubscription.values().stream()
                .filter(Answers::isConfirmation)
                .map(Receipt::subscription)
                .toList();
    }

    private List<String> failures() {
        return bySubscription.values().stream()
                .filter(receipt -> !isConfirmation(receipt))
                .map(receipt -> "subscription " + receipt.subscription() + " failed: " + Names.shown(receipt.reason()))
                .toList();
    }

    /** Returns the failure that the subscriptions speak of, when too few have it. */
    Optional<AgentException> failure(String what, OutgoingRecord record) {
        if (confirmed() >= wanted(record)) {
            return Optional.empty();
        }
        boolean verification = bySubscription.values().stream().anyMatch(Failures::isVerification);
        Code code = verification ? Code.VERIFICATION_FAILED : Code.TRANSFER_FAILED;
        return Optional.of(new AgentException(code, what + ": " + String.join("; ", failures())));
    }
}
