package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Call.Deliver.End;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.content.Seal;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A content that a client sends, and its delivery by the back, which pulls it meanwhile. Goes on for ever as long as the
 * delivery may still succeed.
 *
 * <p>Belongs to the thread of its {@link World}; methods that may be called by others say so.
 */
final class Upload {
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration LASTING_PAUSE = Duration.ofSeconds(30);
    private static final Duration WATCH_PAUSE = Duration.ofMillis(200);

    /** A file that is not whole by then is begun at the server while it comes. */
    private static final Duration WHOLE_SOON = Duration.ofMillis(200);

    private final World world;
    private final Caller caller;
    private final Holder holder;
    private final Content content;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> aborted = new CompletableFuture<>();
    private final CompletableFuture<Entry> delivered = new CompletableFuture<>();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();

    private volatile UploadNote note; // written by whoever the upload is with: the sink, then its own thread
    private volatile long reached;
    private volatile @Nullable BackendException failure;
    private volatile LongConsumer progress = bytes -> {};
    private CompletableFuture<Answer> call = new CompletableFuture<>();
    private int turn;
    private final boolean isFresh;
    private boolean isHeldBack; // the back has not heard of it
    private boolean hasEnded;
    private boolean isLate;
    private long heardNs;

    Upload(World world, Caller caller, Holder holder, Content content, UploadNote note) {
        this(world, caller, holder, content, note, false);
    }

    /**
     * Takes what it needs.
     *
     * @param isFresh whether the back cannot have anything of the content
     */
    Upload(World world, Caller caller, Holder holder, Content content, UploadNote note, boolean isFresh) {
        this.world = world;
        this.caller = caller;
        this.holder = holder;
        this.content = content;
        this.note = note;
        this.isFresh = isFresh;
        this.heardNs = world.nanoTime().getAsLong();
    }

    /** May be called by any thread. */
    Content content() {
        return content;
    }

    /** May be called by any thread. */
    UploadNote note() {
        return note;
    }

    /** Returns whether all bytes that the file will have are in the content, from 0 on. May be called by any thread. */
    boolean isWholeFile() {
        return note.deliver().request().kind() == Kind.REPLACE;
    }

    /** Returns whether a client that has given it up can go on behind these bytes. May be called by any thread. */
    boolean canResume(List<ByteRange> present) {
        UploadNote now = note;
        return now.state() == UploadNote.State.KEPT
                && present.stream()
                        .allMatch(range -> content.contains(range)
                                && (now.trusted().isEmpty()
                                        || now.trusted().get().contains(range)));
    }

    /** Notes how it is; waits for the disk. */
    void note(UploadNote now) {
        content.note(world.clock().instant(), now.text());
        note = now;
    }

    /** Done when the place for the file is open, or nobody said anything about it. May be called by any thread. */
    CompletableFuture<Void> opened() {
        return opened;
    }

    /** Nobody has said in time whether the place is open. */
    void unheard() {
        opened.complete(null);
    }

    /**
     * The place is not open in time. It is waited for as long as the other end says nothing worse than that it takes long, as where
     * others use the server: silence and the next failure end that.
     */
    void late() {
        isLate = true;
        Duration silent = Duration.ofNanos(world.nanoTime().getAsLong() - heardNs);
        if (silent.compareTo(Caller.PATIENCE) >= 0) {
            opened.completeExceptionally(Caller.silent(note.endpoint(), Caller.PATIENCE));
        } else if (!opened.isDone()) {
            world.after(Caller.PATIENCE.minus(silent), this::late);
        }
    }

    /** Done when the server has it. May be called by any thread. */
    CompletableFuture<Entry> delivered() {
        return delivered;
    }

    /** Returns what is known of the file when all of it is here. May be called by any thread. */
    Entry spooled() {
        String name = note.deliver().request().path().name();
        long length = content.coveredBytes();
        return new Entry(name, Entry.Type.FILE, length, world.clock().instant(), true, Optional.empty());
    }

    /** To be done when it is noted here what became of the delivery. May be called by any thread. */
    CompletableFuture<Void> settled() {
        return settled;
    }

    /** Done when the back has given it up. May be called by any thread. */
    CompletableFuture<Void> aborted() {
        return aborted;
    }

    /** Returns how many bytes have reached the server. May be called by any thread. */
    long reached() {
        return reached;
    }

    /** Throws what makes it useless to send more. May be called by any thread. */
    void check() {
        BackendException known = failure;
        if (known != null) {
            throw new BackendException(known.code(), String.valueOf(known.getMessage()), known);
        }
    }

    /** Says who is to be told of bytes that reached the server. May be called by any thread. */
    void onProgress(LongConsumer listener) {
        progress = listener;
    }

    /** Tells the back of it, so that it begins to pull. */
    void begin() {
        isHeldBack = false;
        holder.offer(content, note.endpoint(), this);
        ask(End.OPEN);
    }

    /** Begins later, unless the file is whole soon: then there is a round trip less. The client is not to wait for it. */
    void beginLater() {
        isHeldBack = true;
        opened.complete(null);
        world.after(WHOLE_SOON, () -> {
            if (isHeldBack && !hasEnded) {
                begin();
            }
        });
    }

    /** All is here. */
    void commit() {
        isHeldBack = false;
        if (!isFresh) {
            holder.offer(content, note.endpoint(), this);
            ask(End.COMMIT);
            return;
        }
        call.cancel(false);
        int pushing = ++turn;
        holder.push(content, note.endpoint(), this)
                .thenRun(() -> world.execute(() -> {
                    if (pushing == turn) {
                        ask(End.COMMIT);
                    }
                }));
    }

    /** Nothing of it is wanted at the server. */
    void abort() {
        if (isHeldBack) {
            // so that the server's old file is not taken for what was sent, when the client resumes
            begin();
            int begun = turn;
            call.whenComplete((answer, failed) -> world.execute(() -> {
                if (begun == turn && !hasEnded) {
                    abort();
                }
            }));
            return;
        }
        holder.withdraw(content.id(), this);
        ask(End.ABORT);
    }

    /** Ends the asking; the back hears no more of it. Does nothing when it has ended. */
    void end() {
        if (hasEnded) {
            return;
        }
        hasEnded = true;
        holder.withdraw(content.id(), this);
        turn++;
        call.cancel(false);
    }

    private void ask(End end) {
        call.cancel(false);
        int asked = ++turn;
        Call.Deliver begun = note.deliver();
        Optional<Call.Seal> seal =
                content.seal().filter(known -> end == End.COMMIT).map(Upload::sealed);
        call = caller.callForEver(
                note.endpoint(),
                new Call.Deliver(begun.user(), content.id(), begun.request(), seal, end, begun.attempt()),
                working -> world.execute(() -> reached(asked, working.bytes())));
        call.whenComplete((answer, failed) -> world.execute(() -> {
            if (asked == turn) {
                answered(end, answer, failed);
            }
        }));
    }

    private static Call.Seal sealed(Seal seal) {
        return new Call.Seal(seal.length(), seal.checksum());
    }

    private void reached(int asked, long bytes) {
        heardNs = world.nanoTime().getAsLong();
        if (asked == turn && bytes != reached) {
            reached = bytes;
            progress.accept(bytes);
        }
    }

    private void answered(End end, @Nullable Answer answer, @Nullable Throwable failed) {
        heardNs = world.nanoTime().getAsLong();
        if (failed != null) {
            failed(end, World.failure(failed));
        } else if (end == End.COMMIT && answer instanceof Answer.Found found) {
            delivered.complete(found.entry());
        } else if (end == End.ABORT) {
            aborted.complete(null);
        } else if (end == End.OPEN) {
            opened.complete(null);
            // answered when something happens, and asked for progress meanwhile
            again(WATCH_PAUSE, end);
        } else {
            failed(end, new BackendException(Code.FAILED, "delivery: expected an entry as an answer, found " + answer));
        }
    }

    private void failed(End end, BackendException known) {
        if (isLate) {
            opened.completeExceptionally(known);
        }
        if (known.code() == Code.UNAVAILABLE) {
            again(PAUSE, end);
            return;
        }
        if (known.code() == Code.LASTING && end == End.OPEN) {
            // it may have passed when the client has sent all
            again(LASTING_PAUSE, end);
            return;
        }
        failure = known;
        opened.completeExceptionally(known);
        aborted.complete(null);
        if (end == End.COMMIT) {
            delivered.completeExceptionally(known);
        }
    }

    private void again(Duration pause, End end) {
        int asked = turn;
        world.after(pause, () -> {
            if (asked == turn) {
                ask(end);
            }
        });
    }
}
