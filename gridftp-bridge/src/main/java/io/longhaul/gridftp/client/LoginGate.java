package io.longhaul.gridftp.client;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets many log in at a server as one user. Servers lock users out after a few refused logins: a refused one is told to everybody for a
 * minute before it is tried again, and as long as the last one was not taken one tries and the others hear how that ended. Thread-safe;
 * may wait.
 */
final class LoginGate {
    /** How long a refused login is not tried again. */
    private static final Duration REFUSED = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private boolean isTaken; // the last login that was taken or refused; guarded by this
    private @Nullable Refusal refusal; // of the last login; guarded by this
    private CompletableFuture<Void> trying = CompletableFuture.completedFuture(null); // guarded by this

    private record Refusal(BackendException failure, long atNs) {}

    LoginGate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns what a login gives, or fails as the one did that was tried in its place. */
    <T> T pass(Supplier<? extends T> login) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> first = first(mine);
        if (first != mine) {
            try {
                first.join();
            } catch (CompletionException e) {
                throw Failures.lost("login", e);
            }
        }
        try {
            T session = login.get();
            noted(true, null);
            mine.complete(null);
            return session;
        } catch (RuntimeException | Error e) {
            if (e instanceof BackendException known && known.code() == Code.NOT_LOGGED_IN) {
                noted(false, new Refusal(known, nanoTime.getAsLong()));
            }
            mine.completeExceptionally(e);
            throw e;
        }
    }

    /** Returns the login to wait for; throws when it was refused just now. */
    private synchronized CompletableFuture<Void> first(CompletableFuture<Void> mine) {
        if (refusal != null && nanoTime.getAsLong() - refusal.atNs() < REFUSED.toNanos()) {
            throw new BackendException(
                    Code.NOT_LOGGED_IN, String.valueOf(refusal.failure().getMessage()), refusal.failure());
        }
        if (isTaken) {
            return mine;
        }
        if (trying.isDone()) {
            trying = mine;
        }
        return trying;
    }

    private synchronized void noted(boolean taken, @Nullable Refusal now) {
        isTaken = taken;
        refusal = now;
    }
}
