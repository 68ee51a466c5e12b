package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** What the parts of a back end share. */
record Server(SessionPool pool, Namespace names, Checking checking, Remains remains, PathLocks locks) {
    /**
     * Returns the same as another user sees it. Who replaces a file does so after the others, whoever they are; parts that are kept,
     * and what is to be removed, are each user's own.
     */
    Server ofAnotherLogin(SessionPool other, LongSupplier nanoTime) {
        return new Server(other, names.ofAnotherLogin(), checking, new Remains(nanoTime), locks);
    }

    /** Removes temporary files that nobody wants; what cannot be removed now is tried again later. May wait. */
    void tidy(Session session) {
        Deque<String> places = new ArrayDeque<>(remains.takeUnwanted());
        try {
            while (!places.isEmpty()) {
                // a refusal means that it is gone, or that nobody can do anything about it
                session.call("DELE " + names.places().now(places.peek()));
                names.places().done(places.remove());
            }
        } finally {
            places.forEach(remains::remove);
        }
    }

    /** Keeps a part for a while, and removes it then if nobody has gone on with it. */
    void keep(FilePath path, Remains.Part part) {
        remains.keep(path, part);
        pool.after(Remains.KEPT.plusSeconds(1)).thenRun(this::tidyLater);
    }

    /** Removes what nobody wants, if there is anything. Returns at once. */
    void tidyLater() {
        if (remains.hasUnwanted()) {
            tidySoon();
        }
    }

    /** Removes what nobody wants, as soon as there is a session. */
    CompletableFuture<Void> tidySoon() {
        return pool.<Void>talk(lease -> {
                    tidy(lease.session());
                    return null;
                })
                .exceptionally(failure -> {
                    tidyAgain(failure);
                    return null;
                });
    }

    /** Nobody else may come who would remove it: a server that is away is asked again for as long as that takes. */
    private void tidyAgain(Throwable failure) {
        boolean isRefused = failure(FilePath.ROOT, failure).code() == Code.NOT_LOGGED_IN;
        if (remains.mayWait()) {
            Duration pause = isRefused
                    ? BackendException.LOGIN_PAUSE
                    : pool.config().limits().connect();
            pool.after(pause).thenRun(() -> {
                remains.waited();
                tidyLater();
            });
        }
    }

    /** Returns the failure that something that ran elsewhere ended with. */
    static BackendException failure(FilePath path, Throwable cause) {
        return Failures.lost(path.toString(), cause);
    }
}
