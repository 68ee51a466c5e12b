package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Seal;
import io.longhaul.gridftp.content.SummedRanges;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place at the back end where a content is to become a file. A sink that goes away because the server does is opened again
 * for as long as anybody wants it: behind what the old one has forced where that can be resumed, else from the beginning.
 *
 * <p>A server has few sessions, and ends those that stand still. A sink for which nothing has come is given up, and opened again when
 * something has: it is opened before that only so that the sender hears soon where it cannot be. So is one that is given little while
 * others wait for a session, and opened again when all is here, from the beginning: what is kept at the server for long may be another's
 * by then. But what is written under its own name is not given up: not every server lets that begin again.
 *
 * <p>Belongs to the thread of its {@link World}.
 */
final class Destination implements Feed.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Destination.class);
    private static final long LITTLE = 1024 * 1024; // between two looks

    private final World world;
    private final Backends backends;
    private final Content content;
    private final Call.Deliver deliver;
    private Optional<Entry> basis;
    private final Listener listener;
    private final Pauses pauses = new Pauses();
    private final Answers answers = new Answers();
    private @Nullable Feed feed;
    private boolean isResting; // until all is here, or anything
    private boolean restsUntilAll;
    private boolean isCommitting;
    private boolean mayBeDone;
    private boolean isClosed;

    /** Hears how it goes, on the thread of the {@link World}; nothing any more once it is closed. */
    interface Listener {
        /** The file that the sender takes for granted is this one; to be noted before it goes on. */
        void over(Entry file, Runnable next);

        /** There is a sink. May be told again. */
        void opened(Sink sink);

        /** There is no sink yet for a restart, of which the sender waits to hear; it is tried again. */
        void unopened(BackendException failure);

        /** More has been taken, or has reached its place. */
        void progress(long bytes);

        /** It is not a file yet, and the server was not asked to make it one; it will be again. */
        void untried();

        /** It is a file. */
        void committed(Entry entry);

        /** It will not become a file. */
        void failed(BackendException failure);
    }

    Destination(World world, Backends backends, Content content, DeliveryNote note, Listener listener) {
        this.world = world;
        this.backends = backends;
        this.content = content;
        this.deliver = note.deliver();
        this.basis = note.basis();
        this.mayBeDone = note.mayBeDone();
        this.listener = listener;
    }

    /** Returns whether all bytes of the file are in the content, from 0 on. */
    static boolean isWholeFile(Call.Deliver deliver) {
        return deliver.request().kind() == Kind.REPLACE;
    }

    private boolean isWholeFile() {
        return isWholeFile(deliver);
    }

    void open() {
        begin(new SummedRanges());
    }

    /** Opens a sink that goes on behind what an earlier one of the same file has forced. */
    private void begin(SummedRanges there) {
        if (isClosed) {
            return;
        }
        if (deliver.request().kind() != Kind.RESTART) {
            open(there);
        } else {
            checkBasis(() -> open(there));
        }
    }

    /**
     * Goes on if the file is the one that the sender takes for granted, which is the first one found: it may have been replaced
     * while nobody had it open.
     */
    private void checkBasis(Runnable next) {
        FilePath path = deliver.request().path();
        CompletableFuture<Entry> looking;
        try {
            looking = backends.of(deliver.user()).stat(path);
        } catch (BackendException e) {
            looking = CompletableFuture.failedFuture(e);
        }
        looking.whenComplete((file, failure) -> world.execute(() -> {
            if (!isClosed && file != null && basis.isEmpty()) {
                basis = Optional.of(file);
                listener.over(file, next);
            } else if (!isClosed && file != null && Versions.isSame(file, basis.get())) {
                next.run();
            } else {
                boolean isGone = file != null || World.failure(failure).code() == Code.NOT_FOUND;
                later(isGone ? changed() : World.failure(failure), new SummedRanges());
            }
        }));
    }

    private BackendException changed() {
        return new BackendException(
                Code.BAD_RANGE,
                deliver.request().path() + ": the bytes before the restart are not here, or not any more");
    }

    private void open(SummedRanges there) {
        if (isClosed) {
            return;
        }
        boolean resuming = there.total() > 0;
        CompletableFuture<Sink> opening;
        try {
            opening = backends.of(deliver.user()).write((resuming ? resuming(there) : deliver.request()).ascending());
        } catch (BackendException e) {
            opening = CompletableFuture.failedFuture(e);
        }
        opening.whenComplete((sink, failure) -> world.execute(() -> {
            if (isClosed) {
                if (sink != null) {
                    sink.abort();
                }
            } else if (sink != null) {
                opened(sink, there);
            } else if (resuming && World.failure(failure).code() == Code.BAD_RANGE) {
                open(new SummedRanges());
            } else {
                later(World.failure(failure), there);
            }
        }));
    }

    private void opened(Sink sink, SummedRanges there) {
        // it may have been replaced just before the sink was opened
        boolean isRestart = deliver.request().kind() == Kind.RESTART;
        if (isRestart
                && sink.old()
                        .filter(file -> Versions.isSame(file, basis.orElseThrow()))
                        .isEmpty()) {
            sink.abort();
            later(changed(), new SummedRanges());
            return;
        }
        feed = new Feed(world, content, sink, deliver.request(), there, this);
        watch(feed, there.total());
        listener.opened(sink);
    }

    private void watch(Feed watched, long before) {
        world.after(Silence.LOOK, () -> {
            if (isClosed || feed != watched || isCommitting) {
                return;
            }
            long taken = watched.taken().total();
            boolean isIdle = taken - before < LITTLE && watched.isQuiet() && !content.isComplete();
            boolean mayRest = isIdle && watched.sink().temporary().isPresent();
            if (mayRest && watched.sink().isWaitedFor()) {
                rest(watched, true);
            } else if (mayRest && content.coveredBytes() == 0) {
                rest(watched, false);
            } else {
                watch(watched, taken);
            }
        });
    }

    private void rest(Feed idle, boolean untilAll) {
        LOG.info(
                "delivery of {}: {}: later",
                deliver.request().path(),
                untilAll ? "little comes, and others wait" : "nothing comes");
        idle.end();
        feed = null;
        restsUntilAll = untilAll;
        idle.sink()
                .abort()
                .whenComplete((done, ignored) -> world.execute(() -> {
                    isResting = true;
                    pump();
                }));
    }

    private WriteRequest resuming(SummedRanges there) {
        WriteRequest asked = deliver.request();
        return new WriteRequest(asked.path(), Kind.RESUME, asked.expectedBytes(), Feed.ranges(there), asked.checksum());
    }

    /** Returns whether there is a sink, or there was one that is opened again when there is more for it. */
    boolean isOpen() {
        return feed != null || isResting;
    }

    /** Gives the sink what there is. */
    void pump() {
        if (isResting && (content.isComplete() || !restsUntilAll && content.coveredBytes() > 0)) {
            isResting = false;
            begin(new SummedRanges());
        }
        if (feed != null && !isCommitting) {
            feed.pump();
        }
    }

    /** Returns whether the sink has taken as many bytes as this. */
    boolean hasTaken(Seal whole) {
        return feed != null && !isCommitting && feed.isQuiet() && feed.taken().total() == whole.length();
    }

    /** Returns whether what the sink has taken has this sum. */
    boolean hasTheSumOf(Seal whole) {
        return feed != null && feed.taken().checksum().orElse(~whole.checksum()) == whole.checksum();
    }

    @Override
    public void taken() {
        if (answers.isNone()) {
            pauses.reset();
        }
        if (feed != null) {
            listener.progress(feed.sink().reached(feed.taken().total()));
        }
    }

    @Override
    public void failed(BackendException failure) {
        if (isClosed || feed == null) {
            return;
        }
        SummedRanges forced = isWholeFile() ? feed.forced() : new SummedRanges();
        Sink sink = feed.sink();
        feed = null;
        // nobody goes on with what failed for good, and it would keep a full disk full
        boolean goesOn = failure.code() == Code.UNAVAILABLE;
        CompletableFuture<Void> ended = goesOn ? sink.suspend() : sink.abort();
        ended.whenComplete((done, ignored) -> world.execute(() -> later(failure, forced)));
    }

    /** Makes the file; all bytes have been taken. */
    void commit() {
        if (feed == null) {
            return;
        }
        isCommitting = true;
        mayBeDone = true;
        feed.end();
        feed.sink()
                .commit(bytes -> world.execute(() -> {
                    if (!isClosed) {
                        listener.progress(bytes);
                    }
                }))
                .whenComplete((entry, failure) -> world.execute(() -> {
                    isCommitting = false;
                    feed = null;
                    if (isClosed) {
                        return;
                    }
                    if (entry != null) {
                        listener.committed(entry);
                    } else if (World.failure(failure).isUntried()) {
                        listener.untried();
                        later(World.failure(failure), new SummedRanges());
                    } else if (deliver.request().kind() == Kind.APPEND) {
                        listener.failed(unknown(World.failure(failure)));
                    } else {
                        later(World.failure(failure), new SummedRanges());
                    }
                }));
    }

    /** It may have been done: nobody knows, and twice would be worse. */
    private BackendException unknown(BackendException failure) {
        boolean isUnknown = failure.code() == Code.UNAVAILABLE || failure.code() == Code.NOT_LOGGED_IN;
        return !isUnknown
                ? failure
                : new BackendException(
                        Code.FAILED,
                        deliver.request().path() + ": it is not known whether the bytes were appended: "
                                + failure.getMessage(),
                        failure);
    }

    /** Tries again after a pause, if that may help. */
    private void later(BackendException known, SummedRanges there) {
        if (isClosed) {
            return;
        }
        BackendException failure = answers.heard(known, there.total());
        // only after a commit: else it is another's file, whatever is in it
        if (failure.code() == Code.BAD_RANGE
                && mayBeDone
                && deliver.request().kind() == Kind.RESTART
                && basis.isPresent()
                && content.isComplete()) {
            lookWhetherDone(failure, basis.get());
            return;
        }
        if (failure.code() != Code.UNAVAILABLE) {
            listener.failed(failure);
            return;
        }
        Duration pause = pauses.next();
        LOG.info(
                "delivery of {}: again in {} s: {}", deliver.request().path(), pause.toSeconds(), failure.getMessage());
        if (deliver.request().kind() == Kind.RESTART) {
            listener.unopened(failure);
        }
        world.after(pause, () -> begin(there));
    }

    /** The file may be another one because the bytes are in it already, and nobody has heard of that. */
    private void lookWhetherDone(BackendException failure, Entry before) {
        CompletableFuture<Optional<Entry>> looking;
        try {
            Backend files = backends.of(deliver.user());
            looking = new RestartCheck(world, files, deliver.request().path(), content).over(before);
        } catch (BackendException e) {
            looking = CompletableFuture.failedFuture(e);
        }
        looking.whenComplete((file, unknown) -> world.execute(() -> {
            if (isClosed) {
                return;
            }
            if (file != null && file.isPresent()) {
                listener.committed(file.get());
            } else if (file == null && World.failure(unknown).code() == Code.UNAVAILABLE) {
                later(World.failure(unknown), new SummedRanges());
            } else {
                listener.failed(failure);
            }
        }));
    }

    boolean isCommitting() {
        return isCommitting;
    }

    /** Ends it without a file, unless it is being made; done when the sink has ended. */
    CompletableFuture<Void> close() {
        isClosed = true;
        if (feed == null || isCommitting) {
            return CompletableFuture.completedFuture(null);
        }
        feed.end();
        return feed.sink().abort();
    }
}
