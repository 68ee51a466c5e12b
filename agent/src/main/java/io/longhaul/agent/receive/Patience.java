package io.longhaul.agent.receive;

import io.longhaul.storage.StorageException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * How what fails for now is waited for. When the disk is full: say so once, try again every second, say when it goes on.
 *
 * <p>May be used from any thread; each waits for itself.
 */
final class Patience {
    static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    /** Waits; returns false when the subscription closes meanwhile. */
    interface Sleeper {
        boolean sleep(Duration time);
    }

    private final Announcer announcer;
    private final Sleeper sleeper;
    private boolean told; // guarded by this

    Patience(Announcer announcer, Sleeper sleeper) {
        this.announcer = announcer;
        this.sleeper = sleeper;
    }

    /** Runs a step that may be repeated until it no longer fails for want of space; other failures are thrown. */
    <T> T whileFull(Supplier<T> step) {
        while (true) {
            try {
                T result = step.get();
                recovered();
                return result;
            } catch (StorageException e) {
                if (e.code() != StorageException.Code.NO_SPACE) {
                    throw e;
                }
                await(e);
            }
        }
    }

    /** Tells of the lack of space, once, and waits a second; throws CLOSED when the subscription closes meanwhile. */
    void await(StorageException lack) {
        if (lack.code() != StorageException.Code.NO_SPACE) {
            throw lack;
        }
        if (isNews(true)) {
            announcer.notice("paused, goes on when space returns: " + lack.getMessage());
        }
        if (!sleeper.sleep(BETWEEN_TRIES)) {
            throw new StorageException(
                    StorageException.Code.CLOSED, "the subscription closed while it waited for space", lack);
        }
    }

    /** Waits so long before what failed is tried again; throws CLOSED when the subscription closes meanwhile. */
    void pause(Duration time) {
        if (!sleeper.sleep(time)) {
            throw new StorageException(
                    StorageException.Code.CLOSED, "the subscription closed before what failed was tried again");
        }
    }

    /** Tells once that it goes on. */
    void recovered() {
        if (isNews(false)) {
            announcer.notice("space returned, goes on");
        }
    }

    private synchronized boolean isNews(boolean full) {
        boolean news = told != full;
        told = full;
        return news;
    }
}
