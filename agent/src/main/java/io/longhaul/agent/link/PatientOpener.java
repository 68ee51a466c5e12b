package io.longhaul.agent.link;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Opens a flow; until a time it waits for a connection that was lost before the flow was open, as one waits for the first.
 * A broker may take a connection and lose it before it answers: one of a pair does that while it is open who of them lives.
 */
public final class PatientOpener implements Supplier<Inflow> {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Supplier<Inflow> opener;
    private final long deadlineNs;
    private final LongSupplier nanoTime;
    private final FlowPump.Pause pause;

    /** Takes what opens it, and until when that is tried again after {@link LinkException.Code#UNREACHABLE}. */
    public PatientOpener(Supplier<Inflow> opener, long deadlineNs, LongSupplier nanoTime) {
        this(opener, deadlineNs, nanoTime, time -> Thread.sleep(time.toMillis()));
    }

    PatientOpener(Supplier<Inflow> opener, long deadlineNs, LongSupplier nanoTime, FlowPump.Pause pause) {
        this.opener = opener;
        this.deadlineNs = deadlineNs;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    @Override
    public Inflow get() {
        while (true) {
            try {
                return opener.get();
            } catch (LinkException e) {
                if (e.code() != LinkException.Code.UNREACHABLE || nanoTime.getAsLong() - deadlineNs >= 0) {
                    throw e;
                }
                await(e);
            }
        }
    }

    private void await(LinkException failure) {
        try {
            pause.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
