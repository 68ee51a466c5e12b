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
import java.util.stream.Stream;

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

    /**
     * Returns how many subscriptions have the transfer.
     *
     * @param awaited whose receipts count; empty: anybody's
     */
    int confirmed(Set<String> awaited) {
        return (int) counted(awaited).filter(Answers::isConfirmation).count();
    }

    /** Receipts of others that have subscribed since say nothing of those that are awaited. */
    private Stream<Receipt> counted(Set<String> awaited) {
        return bySubscription.values().stream()
                .filter(receipt -> awaited.isEmpty() || awaited.contains(receipt.subscription()));
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
        int confirmed = confirmed(awaited(record));
        Collection<String> expected = expected(record);
        return confirmed >= wanted
                || counted(awaited(record)).count() >= wanted
                        && !expected.isEmpty() // else who else may have it is not known yet
                        && confirmed + open(expected).size() < wanted;
    }

    private static int wanted(OutgoingRecord record) {
        return record.detail().origin().receipts();
    }

    private static Set<String> awaited(OutgoingRecord record) {
        return record.detail().origin().awaited();
    }

    /** Returns who may answer so that it counts; empty while that is not known. */
    private static Collection<String> expected(OutgoingRecord record) {
        Set<String> awaited = awaited(record);
        return awaited.isEmpty() ? record.detail().sentTo() : new TreeSet<>(awaited);
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
        Collection<String> expected = expected(record);
        Set<String> open = open(known);
        if (!expected.isEmpty()) {
            open.retainAll(expected);
        }
        List<String> confirmed = names(awaited(record));
        List<String> sentTo = awaited(record).isEmpty() ? record.detail().sentTo() : List.of();
        int never = wanted(record) - confirmed.size() - open.size();
        return never <= 0
                ? Optional.empty()
                : Optional.of(new AgentException(
                        Code.REFUSED,
                        what + ": expected receipts of " + wanted(record) + " subscriptions"
                                + OutgoingDetail.whose(awaited(record)) + ", found " + confirmed.size()
                                + (confirmed.isEmpty() ? "" : " (" + String.join(", ", confirmed) + ")")
                                + failures(awaited(record)).stream()
                                        .map("; "::concat)
                                        .collect(Collectors.joining())
                                + (sentTo.isEmpty() ? "" : "; it was sent to " + String.join(", ", sentTo))
                                + "; topic " + record.manifest().topic() + " now has "
                                + (known.isEmpty() ? "no subscription" : String.join(", ", known)) + ": " + never
                                + " can never come"));
    }

    private List<String> names(Set<String> awaited) {
        return counted(awaited)
                .filter(Answers::isConfirmation)
                .map(Receipt::subscription)
                .toList();
    }

    private List<String> failures(Set<String> awaited) {
        return counted(awaited)
                .filter(receipt -> !isConfirmation(receipt))
                .map(receipt -> "subscription " + receipt.subscription() + " failed: " + Names.shown(receipt.reason()))
                .toList();
    }

    /** Returns the failure that the subscriptions speak of, when too few have it. */
    Optional<AgentException> failure(String what, OutgoingRecord record) {
        Set<String> awaited = awaited(record);
        if (confirmed(awaited) >= wanted(record)) {
            return Optional.empty();
        }
        boolean verification = counted(awaited).anyMatch(Failures::isVerification);
        Code code = verification ? Code.VERIFICATION_FAILED : Code.TRANSFER_FAILED;
        return Optional.of(new AgentException(code, what + ": " + String.join("; ", failures(awaited))));
    }
}
