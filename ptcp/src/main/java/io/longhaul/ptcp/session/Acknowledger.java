package io.longhaul.ptcp.session;

import java.time.Duration;

/** Tells the other end how far its stream came: at once when that is much, else after a moment; event loop only. */
final class Acknowledger {
    private static final long PAUSE_NS = Duration.ofMillis(5).toNanos();
    private final SessionLoop loop;
    private final Receiver receiver;
    private final ControlLink control;
    private boolean planned;

    Acknowledger(SessionLoop loop, Receiver receiver, ControlLink control) {
        this.loop = loop;
        this.receiver = receiver;
        this.control = control;
    }

    void progressed() {
        if (receiver.isAckUrgent()) {
            now();
        } else if (!planned && receiver.isAckDue()) {
            planned = true;
            loop.afterPause(this::afterPause, PAUSE_NS);
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
        control.tell(receiver.ack());
    }
}
