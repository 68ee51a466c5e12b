package io.longhaul.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Tells a command that the process was asked to end (SIGTERM, SIGINT, SIGHUP), or cannot go on. May be used from any thread.
 */
final class StopSignal {
    /** Why a wait came to its end. */
    enum Cause {
        DONE,
        STOPPED,
        TIMED_OUT
    }

    private final CompletableFuture<Void> requested = new CompletableFuture<>();
    private volatile @Nullable RuntimeException failure;

    /** Asks the command to end. */
    void request() {
        requested.complete(null);
    }

    /** Ends the command with a failure, whatever it waits for. */
    void fail(RuntimeException why) {
        failure = why;
        requested.completeExceptionally(why);
    }

    boolean isRequested() {
        return requested.isDone() && !requested.isCompletedExceptionally();
    }

    /**
     * Waits until the future ends in whatever way, the process is asked to end, or the time is over; throws what the command
     * fails with.
     */
    Cause await(CompletableFuture<?> done, long timeoutNs) {
        try {
            CompletableFuture.anyOf(requested, done).get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return Cause.TIMED_OUT;
        } catch (ExecutionException e) {
            RuntimeException why = failure;
            if (why != null) {
                throw why;
            }
            return Cause.DONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Cause.STOPPED;
        }
        return done.isDone() ? Cause.DONE : Cause.STOPPED;
    }
}
