package io.longhaul.agent.receive;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Tells how far transfers are that come in, at most ten times a second each, and of the last that came when nothing more comes.
 * Receiver thread only.
 */
final class Telling {
    private static final long EVERY_NS = 100_000_000L;
    private static final String RECEIVING = "receiving";

    private final IncomingTransfers transfers;
    private final LongSupplier nanoTime;
    private final Set<Incoming> untold = new HashSet<>(); // that have moved since

    Telling(IncomingTransfers transfers, LongSupplier nanoTime) {
        this.transfers = transfers;
        this.nanoTime = nanoTime;
    }

    /** It has come to another phase. */
    void now(Incoming incoming, String phase) {
        incoming.lastToldNs = nanoTime.getAsLong();
        untold.remove(incoming);
        transfers.tell(incoming.progress(phase));
    }

    /** More of it is here. */
    void moved(Incoming incoming) {
        if (isDue(incoming)) {
            now(incoming, RECEIVING);
        } else {
            untold.add(incoming);
        }
    }

    private boolean isDue(Incoming incoming) {
        return nanoTime.getAsLong() - incoming.lastToldNs >= EVERY_NS;
    }

    /** Tells of what has moved and was not told of, as soon as that may be. */
    void late() {
        List<Incoming> due = untold.stream().filter(this::isDue).toList();
        due.forEach(untold::remove);
        due.stream()
                .filter(incoming -> transfers.isCurrent(incoming) && !incoming.finishing)
                .forEach(incoming -> now(incoming, RECEIVING));
    }
}
