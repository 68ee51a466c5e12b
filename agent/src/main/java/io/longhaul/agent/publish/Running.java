package io.longhaul.agent.publish;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The publications that run, found by their transfer and by what they are of: thousands may wait their turn, and each new one
 * is looked for among them. Not thread-safe.
 */
final class Running {
    private final Map<String, Outgoing> byTransfer = new LinkedHashMap<>();
    private final Map<String, Set<Outgoing>> bySameness = new HashMap<>();

    void add(Outgoing outgoing) {
        byTransfer.put(outgoing.transfer(), outgoing);
        bySameness
                .computeIfAbsent(samenessOf(outgoing), sameness -> new LinkedHashSet<>())
                .add(outgoing);
    }

    void remove(Outgoing outgoing) {
        if (byTransfer.remove(outgoing.transfer(), outgoing)) {
            bySameness.computeIfPresent(
                    samenessOf(outgoing), (sameness, same) -> same.remove(outgoing) && same.isEmpty() ? null : same);
        }
    }

    private static String samenessOf(Outgoing outgoing) {
        return Intake.sameness(outgoing.record().row());
    }

    @Nullable
    Outgoing of(String transfer) {
        return byTransfer.get(transfer);
    }

    /** Returns those of one source, topic and name, oldest first: it may have changed since the older ones began. */
    List<Outgoing> same(String sameness) {
        return List.copyOf(bySameness.getOrDefault(sameness, Set.of()));
    }

    /** Returns all, oldest first. */
    List<Outgoing> all() {
        return List.copyOf(byTransfer.values());
    }
}
