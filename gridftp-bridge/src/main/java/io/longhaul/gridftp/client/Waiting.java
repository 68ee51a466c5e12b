package io.longhaul.gridftp.client;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what happens on event loops; never on one. */
public final class Waiting {
    private Waiting() {}

    /**
     * Returns what a future gives.
     *
     * @param what names it in failures, which are {@link BackendException}s
     */
    public static <T> T on(CompletableFuture<T> future, Duration limit, String what) {
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw Failures.late(what, limit);
        } catch (ExecutionException e) {
            throw Failures.lost(what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException(Code.UNAVAILABLE, what + ": interrupted", e);
        }
    }
}
