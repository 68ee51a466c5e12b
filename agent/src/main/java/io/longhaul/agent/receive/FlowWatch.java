package io.longhaul.agent.receive;

import io.longhaul.agent.link.Inflow;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** Looks whether anything waits in a flow but what is in hand. One thread. */
final class FlowWatch {
    private static final long LOOK_NS = 500_000_000L;

    private final Inflow inflow;
    private final IntSupplier inHand;
    private final LongSupplier nanoTime;
    private long lookedNs;
    private boolean isEmpty;

    /** Takes the flow and how many of its deliveries are not acknowledged. */
    FlowWatch(Inflow inflow, IntSupplier inHand, LongSupplier nanoTime) {
        this.inflow = inflow;
        this.inHand = inHand;
        this.nanoTime = nanoTime;
        this.lookedNs = nanoTime.getAsLong() - LOOK_NS;
    }

    /** Returns whether nothing waits, as far as was known half a second ago. */
    boolean isEmpty() {
        long now = nanoTime.getAsLong();
        if (now - lookedNs >= LOOK_NS) {
            lookedNs = now;
            long backlog = inflow.backlog();
            isEmpty = backlog >= 0 && backlog <= inHand.getAsInt();
        }
        return isEmpty;
    }
}
