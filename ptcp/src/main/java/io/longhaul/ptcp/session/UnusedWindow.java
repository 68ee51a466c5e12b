package io.longhaul.ptcp.session;

import io.longhaul.ptcp.frame.Frame;
import java.time.Duration;

/**
 * Gives back what the other end lets this end send once it sends little: the other end keeps memory free for it, of which
 * it has little when there are many such sessions. Event loop only.
 */
final class UnusedWindow {
    /** TCP itself begins small again after less. */
    private static final long PERIOD_NS = Duration.ofSeconds(10).toNanos();

    private final Splitter splitter;
    private final ControlLink control;
    private final long keptBytes;
    private long sinceNs;
    private long sincePosition;

    /** Takes how much may be sent in any case, which is less than what counts as much. */
    UnusedWindow(Splitter splitter, ControlLink control, long keptBytes, long nowNs) {
        this.splitter = splitter;
        this.control = control;
        this.keptBytes = keptBytes;
        this.sinceNs = nowNs;
    }

    void tick(long nowNs) {
        if (nowNs - sinceNs < PERIOD_NS) {
            return;
        }
        if (splitter.position() - sincePosition < keptBytes && splitter.giveBack(keptBytes)) {
            tell();
        }
        sinceNs = nowNs;
        sincePosition = splitter.position();
    }

    /** Says how much was given back so far; also again, on a new control channel. */
    void tell() {
        if (splitter.givenBackBytes() > 0) {
            control.tell(new Frame.GiveBack(splitter.givenBackBytes()));
        }
    }
}
