package io.longhaul.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tells a command that the process was asked to end (SIGTERM, SIGINT, SIGHUP). May be used from any thread. */
final class StopSignal {
    /** Why a wait came to its end. */
    enum Cause {
        DONE,
        STOPPED,
        TIMED_OUT
    }

    private final CompletableFuture<Void> requested = new CompletableFuture<>();

    /** Asks the command to end. */
    void request() {
        requested.complete(null);
    }

    boolean isRequested() {
        return requested.isDone();
    }

    /** Waits until the future ends in whatever way, the process is asked to end, or the time is over. */
    Cause await(CompletableFuture<?> done, long timeoutNs) {
        try {
            CompletableFuture.anyOf(requested, done).get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return Cause.TIMED_OUT;
        } catch (ExecutionException e) {
            return Cause.DONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Cause.STOPPED;
        }
        return done.isDone() ? Cause.DONE : Cause.STOPPED;
    }
}
