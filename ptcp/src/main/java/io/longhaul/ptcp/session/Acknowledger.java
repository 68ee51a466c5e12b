package io.longhaul.ptcp.session;

import java.time.Duration;

/**
 * Tells the other end how far its stream came: at once when that is much, with what comes a moment after it was told last, and
 * when nothing more comes after a pause. Event loop only.
 */
final class Acknowledger {
    private static final long MOMENT_NS = Duration.ofMillis(5).toNanos();

    /** Longer than a moment, so that a stream that flows need not be woken for it. */
    private static final long PAUSE_NS = Duration.ofMillis(10).toNanos();

    private final SessionLoop loop;
    private final Receiver receiver;
    private final ControlLink control;
    private boolean planned;
    private long toldNs;

    Acknowledger(SessionLoop loop, Receiver receiver, ControlLink control) {
        this.loop = loop;
        this.receiver = receiver;
        this.control = control;
        this.toldNs = loop.nowNs();
    }

    void progressed() {
        if (receiver.isAckUrgent()) {
            now();
        } else if (receiver.isAckDue()) {
            if (loop.nowNs() - toldNs >= MOMENT_NS) {
                now();
            } else if (!planned) {
                planned = true;
                loop.afterPause(this::afterPause, PAUSE_NS);
            }
        }
    }

    private void afterPause() {
        planned = false;
        if (receiver.isAckDue()) {
            now();
        }
    }

    /** Tells it, also when it was told before. */
    void now() {
        toldNs = loop.nowNs();
        control.tell(receiver.ack());
    }
}
