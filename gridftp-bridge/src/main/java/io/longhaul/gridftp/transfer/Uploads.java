package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Call.Deliver.End;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.gridftp.transfer.UploadNote.State;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that clients of a front send to other endpoints.
 *
 * <p>For each user and path one content is kept that came to nothing or was delivered. Who sends the same bytes again continues
 * it, and nothing crosses the network twice; so does who sends them while the first session hangs. Who
 * resumes finds the bytes that the last client sent or compared, and no others.
 *
 * <p>Who sends the bytes of a file that is committed and not delivered yet, such as after a restart of the front, waits for that
 * delivery: nothing is sent for it.
 *
 * <p>Two clients that write one path have contents of their own; these are committed at the back one after the other, in the
 * order in which the clients ended.
 */
final class Uploads {
    private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int FORGET_EVERY = 256;

    private final World world;
    private final Caller caller;
    private final Holder holder;
    private final boolean untilDelivered;
    private final OpenSinks open = new OpenSinks();
    private final Map<Place, Upload> kept = new HashMap<>(); // guarded by this
    private final Map<Place, Upload> last = new HashMap<>(); // without users; to be delivered last; guarded by this
    private final CommitQueues committed; // own thread only
    private final Welcome welcome;

    /** Takes what it needs, and whether a commit is done when the server has the file; else when it is durable here. */
    Uploads(World world, Caller caller, Holder holder, boolean untilDelivered) {
        this.world = world;
        this.caller = caller;
        this.holder = holder;
        this.untilDelivered = untilDelivered;
        this.committed = new CommitQueues(world);
        this.welcome = new Welcome(world.nanoTime());
    }

    /** Takes up what an earlier process left; waits for the disk. */
    void recover() {
        for (Content content : world.store().all()) {
            UploadNote.of(content.note()).ifPresent(note -> recover(content, note));
        }
    }

    private void recover(Content content, UploadNote note) {
        Upload upload = new Upload(world, caller, holder, content, note);
        boolean isCommitted = note.state() == State.COMMITTED;
        boolean isDropped = content.isLossy() || (isCommitted ? !content.isComplete() : !upload.isWholeFile());
        if (isDropped) {
            LOG.info("upload of {} was not durable when the front ended: dropped", Place.of(note));
            world.store().remove(content);
        } else if (isCommitted) {
            commitLast(upload);
        } else {
            keep(upload, note.state() == State.OPEN ? note.in(State.KEPT) : note);
        }
        if (note.state() == State.OPEN || isDropped && !upload.isWholeFile()) {
            // the place for it at the server is wanted by others
            abandon(upload);
        }
    }

    /** Begins an upload; done when the place for the file is open at the server, or nobody says anything about it. */
    CompletableFuture<Sink> write(String endpoint, Principal user, WriteRequest request) {
        Place place = new Place(endpoint, request.path(), Optional.of(user));
        return open.before(place, request.kind())
                .thenCompose(done -> world.onDisk(world.disk(), () -> open(place, user, request)))
                .thenCompose(sink -> {
                    if (sink.isFollowing()) {
                        return CompletableFuture.completedFuture(sink);
                    }
                    Upload upload = sink.upload();
                    if (untilDelivered && welcome.isCertain(place, request)) {
                        world.execute(upload::beginLater);
                        return CompletableFuture.completedFuture(sink);
                    }
                    world.execute(upload::begin);
                    if (request.kind() == Kind.RESTART && !upload.isWholeFile()) {
                        // what the client takes for granted is looked at before it goes on
                        world.after(Caller.PATIENCE, upload::late);
                    } else {
                        world.after(PATIENCE, upload::unheard);
                    }
                    return upload.opened()
                            .handle((done, failure) -> {
                                if (failure == null) {
                                    return CompletableFuture.<Sink>completedFuture(sink);
                                }
                                return sink.abort()
                                        .<Sink>thenCompose(
                                                ended -> CompletableFuture.failedFuture(World.failure(failure)));
                            })
                            .thenCompose(opened -> opened);
                });
    }

    private UploadSink open(Place place, Principal user, WriteRequest request) {
        Optional<Upload> underWay = underWay(place, request);
        if (underWay.isPresent()) {
            return UploadSink.following(world, this, underWay.get(), request);
        }
        Optional<Upload> earlier = claim(place, request);
        ByteRanges granted = new ByteRanges();
        if (request.kind() == Kind.RESUME || earlier.isPresent()) {
            granted = ByteRanges.of(request.present());
        }
        if (earlier.isEmpty() && request.kind() == Kind.RESUME) {
            throw new BackendException(Code.BAD_RANGE, request.path() + ": the bytes before the restart are not here");
        }
        Upload upload;
        try {
            long there = earlier.map(each -> each.content().coveredBytes()).orElse(0L);
            world.store().reserve(Math.max(0, request.expectedBytes() - there));
            upload = earlier.isPresent()
                    ? again(earlier.get(), request, granted)
                    : fresh(place.endpoint(), user, request);
        } catch (RuntimeException e) {
            earlier.ifPresent(this::putBack);
            throw e;
        }
        return open.opened(place, new UploadSink(world, this, upload, granted));
    }

    /** Returns what is to be delivered to a place anyway, of the same user: who sends the same bytes can wait for that. */
    private synchronized Optional<Upload> underWay(Place place, WriteRequest request) {
        return Optional.ofNullable(last.get(place.ofAll()))
                .filter(upload -> request.kind() == Kind.REPLACE
                        && upload.isWholeFile()
                        && Place.of(upload.note()).equals(place)
                        && upload.note().deliver().request().checksum().equals(request.checksum()));
    }

    /** One step: what others wait for as the last must be the last to be committed. */
    private synchronized void commitLast(Upload upload) {
        last.put(Place.of(upload.note()).ofAll(), upload);
        world.execute(() -> enqueue(upload));
    }

    /** Returns what a client has to wait for that has sent the same as an upload that is still to be delivered last. */
    synchronized Optional<CompletableFuture<Entry>> join(Upload upload) {
        return last.get(Place.of(upload.note()).ofAll()) == upload ? Optional.of(outcome(upload)) : Optional.empty();
    }

    /** Begins an upload of its own for a client that sent the same as another one until here. Waits for the disk. */
    Upload apart(Upload followed, ByteRanges same, WriteRequest request) {
        Place place = Place.of(followed.note());
        Optional<Upload> there = claim(place, request);
        if (there.isPresent() && there.get().content() != followed.content()) {
            putBack(there.get());
        } else if (there.isPresent()) {
            Upload upload;
            try {
                upload = again(there.get(), request, new ByteRanges());
            } catch (RuntimeException e) {
                putBack(there.get());
                throw e;
            }
            world.execute(upload::begin);
            return upload;
        }
        Upload upload = copied(followed, same, request);
        world.execute(upload::begin);
        return upload;
    }

    /** Takes what is kept for a place, if it is of use; nobody else gets it meanwhile. */
    private synchronized Optional<Upload> claim(Place place, WriteRequest request) {
        Kind kind = request.kind();
        Upload there = kept.get(place);
        if (there == null || kind == Kind.OVERLAY || kind == Kind.APPEND) {
            return Optional.empty();
        }
        there.content().evictable(false);
        boolean isGone = world.store().find(there.content().id()).isEmpty();
        if (isGone || kind != Kind.REPLACE && !there.canResume(request.present())) {
            there.content().evictable(true);
            if (isGone) {
                kept.remove(place);
            }
            return Optional.empty();
        }
        kept.remove(place);
        return Optional.of(there);
    }

    /** Keeps what was claimed, as it is noted already. */
    private void putBack(Upload claimed) {
        Upload other;
        synchronized (this) {
            other = kept.putIfAbsent(Place.of(claimed.note()), claimed);
        }
        claimed.content().evictable(true);
        if (other != null) {
            world.store().remove(claimed.content());
        }
    }

    private Upload again(Upload earlier, WriteRequest request, ByteRanges granted) {
        Content content = earlier.content();
        world.execute(earlier::end);
        content.unseal();
        WriteRequest whole =
                new WriteRequest(request.path(), Kind.REPLACE, request.expectedBytes(), List.of(), request.checksum());
        Call.Deliver deliver = new Call.Deliver(
                earlier.note().deliver().user(),
                content.id(),
                whole,
                Optional.empty(),
                End.OPEN,
                world.random().nextLong());
        UploadNote note = new UploadNote(
                State.OPEN, earlier.note().endpoint(), Optional.of(ByteRanges.of(granted.list())), deliver);
        return noted(content, note);
    }

    private Upload fresh(String endpoint, Principal user, WriteRequest request) {
        Number128 id = Number128.next(world.random());
        Call.Deliver deliver = new Call.Deliver(
                user, id, request, Optional.empty(), End.OPEN, world.random().nextLong());
        UploadNote note = new UploadNote(State.OPEN, endpoint, Optional.empty(), deliver);
        return new Upload(world, caller, holder, world.create(id, note.text()), note, true);
    }

    private Upload copied(Upload from, ByteRanges same, WriteRequest request) {
        Upload upload = fresh(from.note().endpoint(), from.note().deliver().user(), request);
        try {
            upload.content().copyFrom(from.content(), same);
        } catch (RuntimeException e) {
            world.store().remove(upload.content());
            throw e;
        }
        return upload;
    }

    private Upload noted(Content content, UploadNote note) {
        Upload upload = new Upload(world, caller, holder, content, note);
        upload.note(note);
        return upload;
    }

    /** Goes on with another content, which has the same bytes in these ranges; the old one is dropped. Waits for the disk. */
    Upload instead(Upload old, ByteRanges same) {
        Upload other = copied(old, same, old.note().deliver().request());
        world.execute(() -> {
            old.abort();
            other.begin();
        });
        old.aborted().whenComplete((done, failure) -> old.end());
        world.store().remove(old.content());
        return other;
    }

    /** The client has sent everything; waits for the disk. */
    CompletableFuture<Entry> committed(Upload upload) {
        upload.note(upload.note().in(State.COMMITTED));
        if (!untilDelivered) {
            upload.content().force();
        }
        commitLast(upload);
        return outcome(upload);
    }

    private CompletableFuture<Entry> outcome(Upload upload) {
        return untilDelivered
                ? upload.settled().thenCompose(done -> upload.delivered())
                : CompletableFuture.completedFuture(upload.spooled());
    }

    /** Done when all that was spooled for some paths until now has come to its end. */
    synchronized CompletableFuture<Void> arrived(String endpoint, Predicate<FilePath> paths) {
        return untilDelivered
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.allOf(last.entrySet().stream()
                        .filter(each -> each.getKey().isAt(endpoint, paths))
                        .map(each -> each.getValue().settled())
                        .toArray(CompletableFuture<?>[]::new));
    }

    private void enqueue(Upload upload) {
        upload.delivered().whenComplete((entry, failure) -> world.execute(() -> delivered(upload, failure)));
        committed.add(upload);
    }

    private void delivered(Upload upload, @Nullable Throwable failure) {
        Optional<Duration> pause = untilDelivered ? Optional.empty() : Pauses.untilSeenTo(failure);
        if (pause.isPresent() && failure != null) {
            // somebody has been told that it will arrive
            LOG.warn("upload of {} waits: {}", upload.note().deliver().request().path(), failure.getMessage());
            Upload next = new Upload(world, caller, holder, upload.content(), upload.note());
            committed.replace(upload, next);
            synchronized (this) {
                last.replace(Place.of(upload.note()).ofAll(), upload, next);
            }
            next.settled().thenRun(() -> upload.settled().complete(null));
            next.delivered().whenComplete((entry, again) -> world.execute(() -> delivered(next, again)));
            world.after(pause.get(), next::commit);
            return;
        }
        upload.end();
        Place place = Place.of(upload.note()).ofAll();
        committed.remove(upload);
        if (failure != null) {
            LOG.warn("upload of {} came to nothing: {}", place, failure.getMessage());
        }
        welcome.ended(Place.of(upload.note()), failure == null);
        State state = failure == null ? State.DELIVERED : State.KEPT;
        world.onDisk(world.disk(), () -> retire(upload, state, new ByteRanges()))
                .whenComplete((done, notNoted) -> {
                    if (notNoted != null) {
                        LOG.warn("upload of {}: its end is not noted: {}", place, notNoted.getMessage());
                    } else if (!upload.isWholeFile()) {
                        // the back has kept what it did, so that it is done once
                        abandon(new Upload(world, caller, holder, upload.content(), upload.note()));
                    }
                    synchronized (this) {
                        last.remove(place, upload);
                    }
                    // a client that sends it again at once finds it
                    upload.settled().complete(null);
                });
    }

    /** The client has given it up; waits for the disk. */
    void givenUp(Upload upload, ByteRanges trusted) {
        abandon(upload);
        retire(upload, State.KEPT, trusted);
    }

    private void abandon(Upload upload) {
        world.execute(upload::abort);
        upload.aborted().whenComplete((done, failure) -> world.execute(upload::end));
        if (upload.isWholeFile()) {
            world.after(Silence.WHOLE, upload::end);
        }
    }

    private boolean retire(Upload upload, State state, ByteRanges trusted) {
        if (upload.isWholeFile() && upload.content().coveredBytes() > 0) {
            try {
                upload.content().record();
                keep(upload, upload.note().in(state).trusting(Optional.of(trusted)));
            } catch (RuntimeException e) {
                // what is noted would be taken up after a restart
                world.store().remove(upload.content());
                throw e;
            }
        } else {
            // what it would be added to may be another's by then
            world.store().remove(upload.content());
        }
        return true;
    }

    private void keep(Upload upload, UploadNote note) {
        upload.note(note);
        Upload before;
        synchronized (this) {
            before = kept.put(Place.of(note), upload);
            if (kept.size() % FORGET_EVERY == 0) {
                kept.values()
                        .removeIf(
                                each -> world.store().find(each.content().id()).isEmpty());
            }
        }
        upload.content().evictable(true);
        if (before != null && before.content() != upload.content()) {
            world.store().remove(before.content());
        }
    }
}
