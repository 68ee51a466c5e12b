package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Mirror;
import io.longhaul.gridftp.content.Mirrors;
import io.longhaul.gridftp.content.Seal;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.storage.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A content that a front holds on its way to the back end behind a back: pulled from the front, written into a sink while it
 * still grows, committed when it is whole and the front says so. Nothing is committed but bytes with the sum that the front
 * computed over what its client sent.
 *
 * <p>Belongs to the thread of its {@link World}.
 */
final class Delivery implements Mirror.Listener, Destination.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final int MOST_DAMAGES = 3;

    private final World world;
    private final Backends backends;
    private final Mirrors mirrors;
    private final Content content;
    private final Waiters waiters = new Waiters();
    private final DeliveryContent kept;

    private DeliveryNote note;
    private DeliveryState state;
    private int turn; // what was begun in an earlier one does not go on
    private @Nullable Mirror mirror;
    private @Nullable Destination destination;
    private Runnable unlisten = () -> {};
    private Optional<Seal> seal = Optional.empty(); // once it is to be committed
    private long reached;
    private int damages;

    Delivery(World world, Backends backends, Mirrors mirrors, Content content, DeliveryNote note) {
        this.world = world;
        this.backends = backends;
        this.mirrors = mirrors;
        this.content = content;
        this.note = note;
        this.kept = new DeliveryContent(world, content);
        this.state = note.outcome().isPresent() ? DeliveryState.ENDED : DeliveryState.IDLE;
    }

    /** An earlier process left it. */
    void recovered() {
        kept.resting(note);
    }

    /** Returns whether the content was dropped while nobody wanted it. */
    boolean isGone() {
        return state != DeliveryState.ACTIVE && kept.isGone();
    }

    /** Removes what its front has not asked for in a long time. */
    void removeIfForgotten() {
        if (state != DeliveryState.ACTIVE && kept.isForgotten()) {
            kept.remove();
        }
    }

    private boolean isWholeFile() {
        return Destination.isWholeFile(note.deliver());
    }

    private String path() {
        return note.deliver().request().path().toString();
    }

    /** Does what the front says. */
    CompletableFuture<Answer> deliver(String from, Call.Deliver call, LongConsumer progress) {
        note = state == DeliveryState.ACTIVE ? note : note.from(from);
        return switch (call.end()) {
            case OPEN -> open(call, progress);
            case COMMIT -> commit(call, progress);
            case ABORT -> abort();
        };
    }

    private CompletableFuture<Answer> open(Call.Deliver call, LongConsumer progress) {
        if (state == DeliveryState.ENDED && !isWholeFile() || waiters.areForOutcome()) {
            // late: what is added to a file is added once, and who asks for the outcome does not send any more
            return CompletableFuture.completedFuture(new Answer.Done());
        }
        boolean isOpen = destination != null && destination.isOpen();
        if (isOpen && waiters.isToldFirst()) {
            return CompletableFuture.completedFuture(new Answer.Done());
        }
        CompletableFuture<Answer> answer = waiters.add(isOpen ? Waiters.For.CHANGE : Waiters.For.OPENING, progress);
        progress.accept(reached);
        if (state != DeliveryState.ACTIVE) {
            seal = Optional.empty();
            begin(call);
        }
        return answer;
    }

    private CompletableFuture<Answer> commit(Call.Deliver call, LongConsumer progress) {
        Call.Seal told = call.seal().orElseThrow();
        Seal wanted = new Seal(told.length(), told.checksum());
        Optional<Answer> outcome = note.outcomeOf(call, content.seal().equals(Optional.of(wanted)));
        if (state == DeliveryState.ENDED && outcome.isPresent()) {
            return outcome.get() instanceof Answer.Failed failed
                    ? CompletableFuture.failedFuture(failed.exception())
                    : CompletableFuture.completedFuture(outcome.get());
        }
        if (state == DeliveryState.ACTIVE) {
            note = note.at(call.attempt());
        }
        waiters.superseded();
        CompletableFuture<Answer> answer = waiters.add(Waiters.For.OUTCOME, progress);
        progress.accept(reached);
        seal = Optional.of(wanted);
        onDisk(() -> content.seal(wanted), () -> {
            if (state == DeliveryState.ACTIVE) {
                pump();
            } else if (state != DeliveryState.ENDED
                    || note.outcomeOf(call, true).isEmpty()) {
                begin(call);
            } // or it has ended meanwhile, and its outcome answers this call once it is noted
        });
        return answer;
    }

    private CompletableFuture<Answer> abort() {
        CompletableFuture<?> done = CompletableFuture.completedFuture(null);
        if (state != DeliveryState.ACTIVE && !isWholeFile()) {
            // the front has noted how it ended, or has given it up, and comes no more
            done = kept.remove();
        } else if (state == DeliveryState.ACTIVE && seal.isEmpty()) {
            waiters.answerAll(new Answer.Done());
            done = rest(DeliveryState.IDLE);
            kept.unwanted();
        }
        // otherwise late: nobody gives up what was committed
        return done.handle((nothing, failure) -> new Answer.Done());
    }

    private void begin(Call.Deliver call) {
        note = note.begun(call);
        waiters.begun();
        kept.needed();
        reached = 0;
        damages = 0;
        state = DeliveryState.ACTIVE;
        int now = ++turn;
        boolean growing = seal.isEmpty();
        String text = note.text();
        onDisk(
                () -> {
                    if (growing) {
                        content.unseal();
                    }
                    kept.note(text);
                },
                () -> {
                    if (now == turn) {
                        mirror = mirrors.open(content, note.front(), this);
                        mirror.want(new ByteRange(0, Long.MAX_VALUE));
                        unlisten = content.onGrowth(() -> world.execute(this::pump));
                        openDestination();
                        endWhenSilent(mirror);
                    }
                });
    }

    private void openDestination() {
        destination = new Destination(world, backends, content, note, this);
        destination.open();
    }

    /** Does something to the content, then goes on, unless that fails. */
    private void onDisk(Runnable change, Runnable next) {
        kept.change(change)
                .whenComplete((done, failure) -> world.execute(() -> {
                    if (failure == null) {
                        next.run();
                    } else {
                        failed(World.failure(failure));
                    }
                }));
    }

    /** A front that has gone does not say so. One that was cut off asks again: what is here is sent anew from its start. */
    private void endWhenSilent(Mirror heard) {
        world.after(Silence.LOOK, () -> {
            if (mirror != heard) {
                return;
            }
            Duration patience = Silence.ofDelivery(content);
            if (heard.silentNs() < patience.toNanos() || destination != null && destination.isCommitting()) {
                endWhenSilent(heard);
                return;
            }
            String gone = path() + ": endpoint " + note.front() + " was not heard for " + patience.toMinutes() + " min";
            LOG.info("delivery of {}: given up", gone);
            waiters.answerAll(new Answer.Failed(Code.UNAVAILABLE, gone));
            rest(DeliveryState.IDLE);
        });
    }

    @Override
    public void opened(Sink sink) {
        note = kept.noteSink(note, sink);
        waiters.opened();
        pump();
    }

    @Override
    public void unopened(BackendException failure) {
        waiters.unopened(Answer.Failed.of(failure));
    }

    @Override
    public void progress(long bytes) {
        reached = bytes;
        waiters.progress(bytes);
        pump();
    }

    private void pump() {
        Destination now = destination;
        if (state != DeliveryState.ACTIVE || now == null || now.isCommitting()) {
            return;
        }
        if (isWholeFile()
                && seal.isPresent()
                && content.coveredBytes() > seal.get().length()) {
            // an earlier try was longer
            again(seal.get().length());
            return;
        }
        now.pump();
        if (seal.isEmpty() || !content.isComplete() || !now.hasTaken(seal.get())) {
            return;
        }
        if (!now.hasTheSumOf(seal.get())) {
            damaged();
        } else if (note.deliver().request().kind() == Kind.APPEND) {
            ++turn;
            force(note.appending(), now::commit);
        } else if (note.deliver().request().kind() == Kind.RESTART) {
            ++turn;
            note = note.committing();
            force(note, now::commit);
        } else {
            now.commit();
        }
    }

    @Override
    public void over(Entry file, Runnable next) {
        note = note.over(file);
        force(note, next);
    }

    /** Notes something that a power loss must not undo, then goes on. */
    private void force(DeliveryNote durable, Runnable next) {
        int now = turn;
        onDisk(
                () -> {
                    kept.note(durable.text());
                    content.force();
                },
                () -> {
                    if (now == turn && state == DeliveryState.ACTIVE) {
                        next.run();
                    }
                });
    }

    /** The bytes here are not those that the front's client sent: they came from before a restart, or the disk changed them. */
    private void damaged() {
        LOG.warn("delivery of {}: content {} has not the bytes of its seal, and is pulled again", path(), content.id());
        if (++damages > MOST_DAMAGES) {
            failed(new BackendException(
                    Code.FAILED,
                    path() + ": the content is damaged: expected the checksum of its seal, found another"));
            return;
        }
        again(0);
    }

    /** Begins anew at the destination, and with only the first bytes of those that are here. */
    private void again(long keptBytes) {
        int now = ++turn;
        closeDestination();
        Optional<Seal> wanted = seal;
        onDisk(
                () -> {
                    content.trim(keptBytes);
                    wanted.ifPresent(content::seal);
                },
                () -> {
                    if (now == turn && mirror != null) {
                        mirror.again();
                        openDestination();
                    }
                });
    }

    @Override
    public void untried() {
        kept.noteUnadded(note);
    }

    @Override
    public void committed(Entry entry) {
        long length = seal.map(Seal::length).orElse(0L);
        if (isWholeFile() && entry.length() != length) {
            failed(new BackendException(
                    Code.FAILED, path() + ": expected " + length + " bytes at the server, found " + entry.length()));
        } else {
            end(new Answer.Found(entry));
        }
    }

    @Override
    public void failed(BackendException failure) {
        if (destination != null && destination.isCommitting()) {
            // trouble of a call beside it: how the commit ends is still to be heard
            waiters.answerAll(new Answer.Failed(Code.UNAVAILABLE, String.valueOf(failure.getMessage())));
            return;
        }
        Answer told = Answer.Failed.of(failure);
        if (state == DeliveryState.ACTIVE && !Pauses.mayPass(failure)) {
            LOG.info("delivery of {} came to nothing: {}", path(), failure.getMessage());
            end(told);
            return;
        }
        if (state == DeliveryState.ACTIVE) {
            // no outcome: the front asks again
            rest(DeliveryState.IDLE);
            kept.noteUnadded(note);
        }
        kept.resting(note); // also when it was made just now, and nothing has begun with it
        waiters.answerAll(told);
    }

    private void end(Answer outcome) {
        note = note.with(outcome);
        rest(DeliveryState.ENDED);
        kept.noteState(note).whenComplete((done, failure) -> world.execute(() -> waiters.answerAll(outcome)));
    }

    private CompletableFuture<Void> closeDestination() {
        Destination closing = destination;
        destination = null;
        return closing == null ? CompletableFuture.completedFuture(null) : closing.close();
    }

    private CompletableFuture<Void> rest(DeliveryState resting) {
        state = resting;
        turn++;
        if (mirror != null) {
            mirror.close();
            mirror = null;
        }
        unlisten.run();
        kept.resting(note);
        return closeDestination();
    }

    @Override
    public void unknown() {
        // the front has been started again, and has not come to this content yet
    }

    @Override
    public void failed(StorageException failure) {
        if (failure.code() == StorageException.Code.NO_SPACE) {
            world.execute(() -> failed(world.told(failure)));
        } else {
            LOG.warn("delivery of {}: {}", path(), failure.getMessage());
        }
    }
}
