package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Callee;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Does what fronts ask for with the back end of each user; deliveries and fetches are others' to do.
 *
 * <p>A call that was sent before this process began may have been done by its predecessor, which took the answer with it: a
 * command that is older than the process and finds its work done says so, instead of that it cannot be done.
 *
 * <p>A server that is away is waited for as an endpoint is, since nobody knows which of the two it is: what only looks is asked
 * for again, and what changes something as long as the server has not been asked. What a server says stands, above all that it
 * refuses a login: to repeat those gets users locked out. Thread-safe.
 */
final class EndpointCalls implements Callee.Service {
    private static final Set<Call.Type> LOOKS =
            EnumSet.of(Call.Type.STAT, Call.Type.LIST_DIRECTORY, Call.Type.CHECKSUM);

    /** Hears of paths that may have been changed when something is done, before it is answered. */
    @FunctionalInterface
    interface Changes {
        CompletableFuture<Void> after(List<FilePath> paths, CompletableFuture<Void> done);
    }

    private final Backends backends;
    private final Callee.Service transfers;
    private final Changes changes;
    private final ScheduledExecutorService clock;
    private final LongSupplier nanoTime;
    private final long startedNs;
    private final Map<Object, CompletableFuture<Answer>> underWay = new ConcurrentHashMap<>();
    private volatile boolean ending;

    EndpointCalls(
            Backends backends,
            Callee.Service transfers,
            Changes changes,
            ScheduledExecutorService clock,
            LongSupplier nanoTime) {
        this.backends = backends;
        this.transfers = transfers;
        this.changes = changes;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.startedNs = nanoTime.getAsLong();
    }

    @Override
    public CompletableFuture<Answer> serve(String from, Call call, Duration age, LongConsumer progress) {
        if (ending) {
            // comes again to the successor
            return new CompletableFuture<>();
        }
        if (call.type() == Call.Type.DELIVER || call.type() == Call.Type.FETCH) {
            return transfers.serve(from, call, age, progress);
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long untilNs = nanoTime.getAsLong() + Caller.SERVER_PATIENCE.minus(age).toNanos();
        boolean looks = LOOKS.contains(call.type());
        // by age and the time of its arrival: a command that waits for the server grows no younger
        boolean mayBeDone = age.toNanos() > nanoTime.getAsLong() - startedNs;
        tryUntil(untilNs, looks, () -> command(call, mayBeDone, progress), answer);
        return answer;
    }

    private void tryUntil(
            long untilNs,
            boolean looks,
            Supplier<CompletableFuture<Answer>> attempt,
            CompletableFuture<Answer> answer) {
        if (ending) {
            // comes again to the successor
            return;
        }
        CompletableFuture<Answer> done;
        try {
            done = attempt.get();
        } catch (BackendException e) {
            done = CompletableFuture.failedFuture(e);
        }
        Object key = new Object();
        underWay.put(key, done);
        done.whenComplete((found, failure) -> {
            underWay.remove(key);
            if (failure == null) {
                answer.complete(found);
            } else if (mayHelp(failure, looks) && nanoTime.getAsLong() + Caller.REPEAT.toNanos() < untilNs) {
                clock.schedule(
                        () -> tryUntil(untilNs, looks, attempt, answer), Caller.REPEAT.toNanos(), TimeUnit.NANOSECONDS);
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    /** Returns whether a failure may pass, and what it is of is not done twice when it is tried again. */
    private static boolean mayHelp(Throwable failure, boolean looks) {
        return BackendException.cause(failure) instanceof BackendException known
                && known.isAway()
                && (looks || known.isUntried());
    }

    /** Takes no more commands; the future completes when those under way are done. */
    CompletableFuture<Void> drain() {
        ending = true;
        return CompletableFuture.allOf(underWay.values().toArray(CompletableFuture<?>[]::new))
                .exceptionally(failure -> null);
    }

    private CompletableFuture<Answer> command(Call call, boolean mayBeDone, LongConsumer progress) {
        Backend files = backends.of(call.user());
        return switch (call.type()) {
            case STAT -> files.stat(((Call.Stat) call).path()).thenApply(Answer.Found::new);
            case LIST_DIRECTORY ->
                files.directory(((Call.ListDirectory) call).path()).thenApply(Answer.Listed::of);
            case MAKE_DIRECTORY -> {
                FilePath path = ((Call.MakeDirectory) call).path();
                CompletableFuture<Void> done = files.makeDirectory(path);
                yield answered(mayBeDone ? unless(done, Code.EXISTS, () -> isDirectory(files, path)) : done);
            }
            case REMOVE_DIRECTORY -> {
                FilePath path = ((Call.RemoveDirectory) call).path();
                CompletableFuture<Void> done = changes.after(List.of(path), files.removeDirectory(path));
                yield answered(mayBeDone ? unless(done, Code.NOT_FOUND, Repeated::yes) : done);
            }
            case DELETE_FILE -> {
                FilePath path = ((Call.DeleteFile) call).path();
                CompletableFuture<Void> done = changes.after(List.of(path), files.deleteFile(path));
                yield answered(mayBeDone ? unless(done, Code.NOT_FOUND, Repeated::yes) : done);
            }
            case RENAME -> {
                Call.Rename rename = (Call.Rename) call;
                CompletableFuture<Void> done =
                        changes.after(List.of(rename.path(), rename.to()), files.rename(rename.path(), rename.to()));
                yield answered(mayBeDone ? unless(done, Code.NOT_FOUND, () -> exists(files, rename.to())) : done);
            }
            case SET_MODIFIED -> {
                Call.SetModified set = (Call.SetModified) call;
                yield answered(files.setModified(set.path(), set.time()));
            }
            case SET_MODE -> {
                Call.SetMode set = (Call.SetMode) call;
                yield answered(files.setMode(set.path(), set.mode()));
            }
            case CHECKSUM -> {
                Call.Checksum sum = (Call.Checksum) call;
                yield files.checksum(sum.path(), sum.algorithm(), sum.range(), progress)
                        .thenApply(Answer.Digits::new);
            }
            case DELIVER, FETCH -> throw new IllegalArgumentException("a transfer is no command");
        };
    }

    private static CompletableFuture<Answer> answered(CompletableFuture<Void> done) {
        return done.thenApply(nothing -> new Answer.Done());
    }

    /** Finds out whether something was done before. */
    @FunctionalInterface
    private interface Repeated {
        CompletableFuture<Boolean> isDone();

        static CompletableFuture<Boolean> yes() {
            return CompletableFuture.completedFuture(true);
        }
    }

    /** A failure of this code is none when the work is done. */
    private static CompletableFuture<Void> unless(CompletableFuture<Void> done, Code code, Repeated repeated) {
        return done.handle((nothing, failure) -> {
                    if (failure == null) {
                        return done;
                    }
                    if (!BackendException.codeOf(failure).equals(Optional.of(code))) {
                        return done;
                    }
                    return repeated.isDone()
                            .thenCompose(is -> is ? CompletableFuture.<Void>completedFuture(null) : done);
                })
                .thenCompose(Function.identity());
    }

    private static CompletableFuture<Boolean> isDirectory(Backend files, FilePath path) {
        return files.stat(path).handle((entry, failure) -> failure == null && entry.isDirectory());
    }

    private static CompletableFuture<Boolean> exists(Backend files, FilePath path) {
        return files.stat(path).handle((Entry entry, Throwable failure) -> failure == null);
    }
}
