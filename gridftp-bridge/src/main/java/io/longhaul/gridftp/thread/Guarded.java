package io.longhaul.gridftp.thread;

import org.slf4j.Logger;

/** Work of executors with a schedule, which swallow what is thrown. */
public final class Guarded {
    private Guarded() {}

    /** Returns the same action, whose failure goes to a log. */
    public static Runnable by(Logger log, Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (RuntimeException e) {
                log.error("unexpected failure", e);
                throw e;
            }
        };
    }
}
