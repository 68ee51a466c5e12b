package io.longhaul.agent.receive;

import java.util.BitSet;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks holders for the missing pieces of one transfer, for as long as it takes.
 *
 * <pre>
 * QUIET --ask--> COLLECTING --offers--> ASKING --nothing missing--> QUIET
 *                    ^  \                  |
 *                    |   no offer      refusal or silence: next holder, or none
 *                    |      v              |
 *                    +-- BACKING_OFF <-----+
 * </pre>
 *
 * Offers are collected for 300 ms, then the nearest holder is asked, by the links between brokers that its offer has
 * crossed and then by rank, for 64 pieces at a time and two requests ahead, those of the subscription's other transfers
 * included. A holder that says nothing for 5 s in which no other one does is given up, and after a minute in any case. With no holder it asks again after 1 s, doubling up to once every 4 s, or less often when many ask; an offer that
 * comes late, from far away, counts at once. Receiver thread only; time is what the caller says it is.
 */
final class RepairAsker {
    static final long COLLECT_NS = 300_000_000L;
    static final long SILENCE_NS = 5_000_000_000L;
    /** Of a holder while others are heard, whose pieces may be before its own. */
    static final long LONG_SILENCE_NS = 60_000_000_000L;

    static final long LEAST_BACKOFF_NS = 1_000_000_000L;
    /** A holder that returns hears of no question from before: it is found within 4 s, the time of collecting included. */
    static final long MOST_BACKOFF_NS = 4_000_000_000L - COLLECT_NS;

    static final int PIECES_PER_REQUEST = 64;
    static final int REQUESTS_AHEAD = 2;
    /** A request's bitmap spans at most so many pieces, to fit a message. */
    private static final int MOST_SPAN = 1 << 20;

    /** How an asker speaks. */
    interface Voice {
        void query();

        void request(String holder, BitSet pieces);

        void notice(String line);
    }

    /** How near a holder is. */
    private record Near(int hops, int rank) {}

    private enum Phase {
        QUIET,
        COLLECTING,
        ASKING,
        BACKING_OFF
    }

    private final Voice voice;
    private final LongSupplier crowdNs;
    private final RepairFlow flow;
    private final TreeMap<String, Near> offers = new TreeMap<>(); // by holder
    private final BitSet outstanding = new BitSet();
    private int counted; // of these, in the flow
    private Phase phase = Phase.QUIET;
    private long sinceNs;
    private long backoffNs = LEAST_BACKOFF_NS;
    private boolean toldNobody;

    private @Nullable String holder;

    /** Takes what tells how long all who ask are to wait, by their number, beyond the usual, and what they share. */
    RepairAsker(Voice voice, LongSupplier crowdNs, RepairFlow flow) {
        this.voice = voice;
        this.crowdNs = crowdNs;
        this.flow = flow;
    }

    boolean isQuiet() {
        return phase == Phase.QUIET;
    }

    /** Whether nothing is due yet, whatever pieces are missing. */
    boolean waits(long nowNs) {
        return phase == Phase.COLLECTING && nowNs - sinceNs < COLLECT_NS
                || phase == Phase.BACKING_OFF && offers.isEmpty() && nowNs - sinceNs < backoffNs;
    }

    /** Takes the pieces that are missing now, and does what is due. */
    void tick(BitSet missing, long nowNs) {
        if (missing.isEmpty()) {
            quiet();
            return;
        }
        switch (phase) {
            case QUIET -> query(nowNs);
            case COLLECTING -> {
                if (nowNs - sinceNs >= COLLECT_NS) {
                    next(missing, nowNs);
                }
            }
            case ASKING -> {
                if (isSilent(nowNs)) {
                    next(missing, nowNs);
                } else {
                    request(missing, nowNs);
                }
            }
            case BACKING_OFF -> {
                if (!offers.isEmpty()) {
                    next(missing, nowNs);
                } else if (nowNs - sinceNs >= backoffNs) {
                    backoffNs = Math.min(2 * backoffNs, Math.max(MOST_BACKOFF_NS, crowdNs.getAsLong()));
                    query(nowNs);
                }
            }
        }
    }

    private boolean isSilent(long nowNs) {
        return !outstanding.isEmpty()
                && (nowNs - flow.latest(sinceNs) >= SILENCE_NS || nowNs - sinceNs >= LONG_SILENCE_NS);
    }

    /** A holder offers to repair; hops are the links between brokers from there. */
    void offered(String from, int hops, int rank) {
        if (phase != Phase.QUIET && !from.equals(holder)) {
            offers.put(from, new Near(hops, rank));
        }
    }

    /** The holder cannot serve (any more). */
    void refused(String from, BitSet missing, long nowNs) {
        offers.remove(from);
        if (phase == Phase.ASKING && from.equals(holder)) {
            next(missing, nowNs);
        }
    }

    /** A piece came by repair; intact or not is seen by whether it is still missing. */
    void arrived(long index, boolean intact, BitSet missing, long nowNs) {
        outstanding.clear((int) index);
        count();
        flow.arrived(nowNs);
        if (phase != Phase.ASKING) {
            return;
        }
        if (!intact) {
            next(missing, nowNs);
            return;
        }
        sinceNs = nowNs;
        backoffNs = LEAST_BACKOFF_NS;
        toldNobody = false;
    }

    /** Asks for nothing more. */
    void quiet() {
        phase = Phase.QUIET;
        offers.clear();
        outstanding.clear();
        count();
        holder = null;
        backoffNs = LEAST_BACKOFF_NS;
        toldNobody = false;
    }

    private void query(long nowNs) {
        phase = Phase.COLLECTING;
        sinceNs = nowNs;
        offers.clear();
        voice.query();
    }

    private void count() {
        int now = outstanding.cardinality();
        flow.expect(now - counted);
        counted = now;
    }

    private void next(BitSet missing, long nowNs) {
        outstanding.clear();
        count();
        String best = offers.entrySet().stream()
                .min(Map.Entry.comparingByValue(
                        Comparator.comparingInt(Near::hops).thenComparingInt(Near::rank)))
                .map(Map.Entry::getKey)
                .orElse(null);
        holder = best;
        sinceNs = nowNs;
        if (best == null) {
            phase = Phase.BACKING_OFF;
            if (!toldNobody) {
                toldNobody = true;
                voice.notice(missing.cardinality() + " pieces are missing and nobody offers them; asking again until"
                        + " somebody does");
            }
            return;
        }
        offers.remove(best);
        phase = Phase.ASKING;
        voice.notice("asking " + best + " for " + missing.cardinality() + " missing pieces");
        request(missing, nowNs);
    }

    private void request(BitSet missing, long nowNs) {
        BitSet wanted = (BitSet) missing.clone();
        wanted.andNot(outstanding);
        outstanding.and(missing);
        count();
        String whom = holder;
        while (whom != null && !wanted.isEmpty() && flow.expected() <= PIECES_PER_REQUEST * (REQUESTS_AHEAD - 1)) {
            BitSet some = new BitSet();
            int first = wanted.nextSetBit(0);
            for (int i = first;
                    i >= 0 && i - first < MOST_SPAN && some.cardinality() < PIECES_PER_REQUEST;
                    i = wanted.nextSetBit(i + 1)) {
                some.set(i);
            }
            outstanding.or(some);
            count();
            wanted.andNot(some);
            voice.request(whom, some);
        }
        if (outstanding.isEmpty()) {
            sinceNs = nowNs; // others have their turn: there is nothing yet that it could say
        }
    }
}
