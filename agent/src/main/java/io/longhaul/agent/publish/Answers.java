package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The receipts of one transfer, one for each subscription; not thread-safe. */
final class Answers {
    /** What the reason of a failed verification speaks of. */
    private static final String DIGEST = "digest";

    private final Map<String, Receipt> bySubscription = new LinkedHashMap<>();

    /** Takes a receipt in; a second one of the same subscription changes nothing. */
    void add(Receipt receipt) {
        bySubscription.putIfAbsent(receipt.subscription(), receipt);
    }

    int count() {
        return bySubscription.size();
    }

    List<Receipt> all() {
        return new ArrayList<>(bySubscription.values());
    }

    /** Returns the failure that the subscriptions speak of, if any does. */
    Optional<AgentException> failure(String what) {
        List<String> failures = new ArrayList<>();
        boolean verification = false;
        for (Receipt receipt : bySubscription.values()) {
            if (receipt.outcome() == Receipt.Outcome.FAILED) {
                failures.add("subscription " + receipt.subscription() + " failed: " + Names.shown(receipt.reason()));
                verification |= receipt.reason().contains(DIGEST);
            }
        }
        if (failures.isEmpty()) {
            return Optional.empty();
        }
        Code code = verification ? Code.VERIFICATION_FAILED : Code.TRANSFER_FAILED;
        return Optional.of(new AgentException(code, what + ": " + String.join("; ", failures)));
    }
}
