package io.longhaul.broker.artemis;

import io.longhaul.wire.LeaseGrant;
import io.longhaul.wire.TransferId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** One subscription's backlog while it is too long: what was asked and what was promised. Keeper's thread only. */
final class Backlog {
    private static final long SETTLE_NS = Duration.ofMillis(500).toNanos();
    private static final long FIRST_PAUSE_NS = Duration.ofSeconds(2).toNanos();
    private static final long LONGEST_PAUSE_NS = Duration.ofSeconds(60).toNanos();
    private static final long PATIENCE_NS = Duration.ofMinutes(5).toNanos();

    private final Map<String, Long> through = new HashMap<>();
    private final TreeSet<String> holders = new TreeSet<>();
    private Set<TransferId> transfers = Set.of();
    private long transfersAtNs;
    private String request = "";
    private long askedAtNs;
    private long grantedAtNs;
    private long pauseNs;
    private long restSinceNs;
    private long restNs;
    private boolean told;

    /** What lies in the queue, oldest first. */
    void transfers(List<TransferId> found, long nowNs) {
        transfers = new LinkedHashSet<>(found);
        transfersAtNs = nowNs;
    }

    List<TransferId> transfers() {
        return List.copyOf(transfers);
    }

    /** Whether nobody has promised anything of what was asked about for so long that others have their turn. */
    boolean isInVain(long nowNs) {
        return !transfers.isEmpty() && through.isEmpty() && nowNs - transfersAtNs > PATIENCE_NS;
    }

    /** Whether it is time to ask, for the first time or again. */
    boolean isDue(long nowNs) {
        return request.isEmpty()
                ? nowNs - restSinceNs >= restNs
                : nowNs - askedAtNs >= pauseNs && (through.isEmpty() || nowNs - grantedAtNs >= pauseNs);
    }

    /** Notes a question; it keeps its identity when asked again, so that a late answer counts. */
    String asked(Supplier<String> newRequest, long nowNs) {
        pauseNs = request.isEmpty() ? FIRST_PAUSE_NS : Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        request = request.isEmpty() ? newRequest.get() : request;
        askedAtNs = nowNs;
        return request;
    }

    /** Takes a promise; one that answers another request, or speaks of a transfer not asked about, counts nothing. */
    void granted(LeaseGrant grant, long nowNs) {
        if (!request.isEmpty() && grant.request().equals(request) && transfers.contains(grant.transfer())) {
            through.merge(grant.transfer().toString(), grant.through(), Math::max);
            holders.add(grant.holder());
            grantedAtNs = nowNs;
        }
    }

    /**
     * Whether promises are in and slower holders had their time: none has come for a while, or what was asked about is promised as a
     * whole. A holder records each before it gives it, and of very many small transfers that takes a while.
     */
    boolean isSettled(long nowNs) {
        boolean quiet = nowNs - askedAtNs >= SETTLE_NS && nowNs - grantedAtNs >= SETTLE_NS;
        return !through.isEmpty() && (quiet || isPromised());
    }

    private boolean isPromised() {
        return through.size() == transfers.size()
                && through.values().stream().allMatch(index -> index == Long.MAX_VALUE);
    }

    /** Whether a time for answers has passed without one, said once. */
    boolean isToTell(long nowNs) {
        if (told || request.isEmpty() || !through.isEmpty() || nowNs - askedAtNs < SETTLE_NS) {
            return false;
        }
        told = true;
        return true;
    }

    Map<String, Long> through() {
        return Map.copyOf(through);
    }

    String holders() {
        return String.join(", ", holders);
    }

    /** Starts over after a removal; asks again after a rest. */
    void removed(long nowNs, long rest) {
        told = false;
        restSinceNs = nowNs;
        restNs = rest;
        startOver();
    }

    /** The next question is about other transfers. */
    void startOver() {
        transfers = Set.of();
        request = "";
        through.clear();
        holders.clear();
    }
}
