package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Callbacks;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.PublishedSource;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.Seal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One publication: its handle, and the common state of the runs that work on it.
 *
 * <p>A run enters before it does anything and leaves with what went wrong, if anything did; the last one to leave after
 * a failure ends the publication. May be used from any thread.
 */
final class Outgoing implements Publication {
    private static final double NANOS = 1e9;
    private static final Duration TELLING = Duration.ofSeconds(1);

    private final Publishing publishing;
    private final OutgoingRecord record;
    private final Consumer<Outgoing> whenOver;
    private final boolean resumed;
    private final long startedNs;
    private final Halt halt = new Halt();
    private final Tally tally;
    private final EntryLog entries;
    private final AckLog acks;
    private final Offers offers;
    private final CompletableFuture<PublicationResult> result = new CompletableFuture<>();
    private final CompletableFuture<Void> spooled = new CompletableFuture<>();
    private final Answers answers = new Answers(); // guarded by this
    private @Nullable Seal seal; // guarded by this
    private @Nullable Throwable failure; // guarded by this
    private int runs; // guarded by this
    private boolean over; // guarded by this: the end is decided
    private long sentNs; // guarded by this

    Outgoing(Publishing publishing, OutgoingRecord record, List<Receipt> receipts, Consumer<Outgoing> whenOver) {
        this.publishing = publishing;
        this.record = record;
        this.whenOver = whenOver;
        this.resumed = record.isBegun();
        this.over = record.row().state().isEnded();
        this.startedNs = nanoTime();
        this.tally = new Tally(publishing.context().ledger(), record);
        this.entries = new EntryLog(publishing.context().ledger(), record, resumed, () -> acks().flush());
        this.acks = new AckLog(record, publishing.context().platform().delay(), entries, tally::counters);
        this.offers = new Offers(
                publishing, record.manifest(), record.detail().origin().priorityOrNormal(), halt, tally, acks);
        receipts.forEach(answers::add);
        this.sentNs = startedNs;
        if (!record.row().seal().isEmpty()) {
            seal = FrameCodec.fromJson(record.row().seal().getBytes(StandardCharsets.UTF_8), Seal.class);
        }
        if (record.row().state() != TransferState.SENDING) {
            spooled.complete(null);
        }
    }

    @Override
    public String transfer() {
        return record.row().transferId();
    }

    @Override
    public String topic() {
        return record.row().topic();
    }

    @Override
    public Optional<PublishedSource> source() {
        return record.source();
    }

    @Override
    public CompletableFuture<PublicationResult> result() {
        return Callbacks.future("what waits for transfer " + transfer(), result);
    }

    @Override
    public CompletableFuture<Void> spooled() {
        return Callbacks.future("what waits for transfer " + transfer(), spooled);
    }

    @Override
    public Progress progress() {
        Manifest manifest = record.manifest();
        Seal known = seal();
        long total = known == null ? manifest.length() : known.length();
        OutgoingDetail.Counters counters = tally.counters();
        // Names and frames of packs count as bytes of the way, not of the files.
        long found = tally.safeBytes(known);
        long safe = total < 0 ? found : Math.min(total, found);
        return new Progress(
                transfer(), manifest.name(), total, safe, counters.resentPieces(), counters.resentBytes(), 0, phase());
    }

    @Override
    public synchronized List<Receipt> receipts() {
        return answers.all();
    }

    @Override
    public synchronized void onReceipt(Runnable action) {
        Objects.requireNonNull(action, "action");
        Runnable guarded = () -> Callbacks.call("an action on receipts of transfer " + transfer(), action);
        answers.listen(() -> platform().executor().execute(guarded));
    }

    private String phase() {
        if (result.isDone()) {
            return result.isCompletedExceptionally() ? "failed" : "done";
        }
        return record.row().state() == TransferState.SENT && seal() != null ? "waiting" : "sending";
    }

    @Override
    public void cancel() {
        halt(Halted.cancelled());
    }

    /** Stops it for the reason given, at once when no run is inside. */
    void halt(RuntimeException reason) {
        boolean endNow;
        synchronized (this) {
            if (over) {
                return;
            }
            if (failure == null) {
                failure = reason;
            }
            endNow = runs == 0;
            over = endNow;
        }
        halt.request(reason);
        if (endNow) {
            platform().executor().execute(() -> end(reason));
        }
    }

    /** Lets a run in; returns false when there is nothing to do any more. */
    synchronized boolean enter() {
        if (isEnding()) {
            return false;
        }
        runs++;
        return true;
    }

    synchronized boolean isEnding() {
        return over || failure != null;
    }

    /** Lets a run out; the first failure counts and stops the other runs. */
    void leave(@Nullable Throwable why) {
        Throwable toEnd = null;
        synchronized (this) {
            runs--;
            if (why != null && failure == null) {
                failure = why;
            }
            if (failure != null && runs == 0 && !over) {
                over = true;
                toEnd = failure;
            }
        }
        if (why != null) {
            halt.request(why instanceof RuntimeException known ? known : Halted.closing());
        }
        if (toEnd != null) {
            end(toEnd);
        }
    }

    private void end(Throwable why) {
        Ending ending = Ending.of(what(), why, record.detail(), resumed);
        CompletableFuture<AgentException> played = new Finale(publishing, this).play(ending);
        if (played.isDone()) {
            fail(played.join());
        } else {
            played.thenAcceptAsync(this::fail, platform().executor());
        }
    }

    private void fail(AgentException exception) {
        whenOver.accept(this);
        if (record.isKept() && record.detail().spooled()) {
            // The news that the source may go runs on another thread, and stays true.
            spooled.complete(null);
        }
        spooled.completeExceptionally(exception);
        result.completeExceptionally(exception);
    }

    /** Everything is safe in the network: makes that durable, and completes what awaits no receipt. */
    void sent(Seal sealed, double readingSeconds) throws InterruptedException {
        boolean done = record.detail().origin().receipts() == 0;
        double sending = secondsSince(startedNs);
        var changes = acks.last();
        PatientCommit.commit(
                publishing,
                this,
                () -> record.move(
                        done ? TransferState.COMPLETED : TransferState.SENT,
                        OutgoingRecord.json(sealed),
                        changes,
                        detail -> detail.withCounters(tally.counters())
                                .withSession(done ? publishing.session() : 0)
                                .withSeconds(detail.seconds().plus(readingSeconds, sending, 0))));
        synchronized (this) {
            seal = sealed;
            sentNs = nanoTime();
            over |= done;
        }
        spooled.complete(null);
        if (done) {
            complete(sealed, secondsSince(startedNs));
        } else {
            evaluate();
        }
    }

    /** Tells that the source is no longer needed. */
    void sourceMayGo() {
        spooled.complete(null);
    }

    /** The transfer is all in the spool; its seal is known. */
    synchronized void sealed(Seal known) {
        seal = known;
    }

    synchronized @Nullable Seal seal() {
        return seal;
    }

    /** Takes in a receipt that is in the ledger. */
    void receipt(Receipt receipt) {
        synchronized (this) {
            answers.add(receipt);
        }
        evaluate();
    }

    /** Returns whether the subscriptions that a request wants have said that they have it. */
    synchronized boolean hasReceipts(PublishRequest wanted) {
        return answers.confirmed(wanted.awaited()) >= wanted.receipts();
    }

    /** Returns why the receipts that are missing can never come, by the topic's subscriptions now. */
    synchronized Optional<AgentException> hopeless(Set<String> known) {
        return answers.hopeless(what(), record, known);
    }

    /** Ends the wait when enough receipts are in, or too many that say that it failed. */
    void evaluate() {
        Seal known;
        synchronized (this) {
            known = seal;
            boolean waiting = record.row().state() == TransferState.SENT && failure == null && !over;
            if (known == null || !waiting || !answers.isDecided(record)) {
                return;
            }
            over = true;
        }
        Seal sealed = known;
        platform().executor().execute(() -> conclude(sealed));
    }

    private void conclude(Seal known) {
        Optional<AgentException> failed;
        double waiting;
        synchronized (this) {
            failed = answers.failure(what(), record);
            waiting = secondsSince(sentNs);
        }
        TransferState state = failed.isPresent() ? TransferState.FAILED : TransferState.COMPLETED;
        try {
            PatientCommit.commit(
                    publishing,
                    this,
                    () -> record.move(
                            state,
                            OutgoingRecord.json(known),
                            List.of(),
                            detail -> detail.withEnd(
                                            false,
                                            failed.map(Throwable::getMessage).orElse(""))
                                    .withSession(publishing.session())
                                    .withSeconds(detail.seconds().plus(0, 0, waiting))));
            if (failed.isPresent()) {
                fail(failed.get());
            } else {
                complete(known, secondsSince(startedNs));
            }
        } catch (RuntimeException e) {
            end(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(Halted.closing());
        }
    }

    /** Tells how a transfer ended that the ledger has as completed. */
    void recall() {
        Seal known = Objects.requireNonNull(seal(), "seal");
        tally.recall(known);
        OutgoingDetail.Seconds spent = record.detail().seconds();
        complete(known, spent.sending() + spent.waiting());
    }

    private void complete(Seal known, double seconds) {
        OutgoingDetail.Counters counters = tally.counters();
        PublicationResult reached = new PublicationResult(
                transfer(),
                record.manifest().name(),
                known.length(),
                known.digest(),
                known.pieces(),
                counters.resentPieces(),
                counters.resentBytes(),
                seconds,
                receipts());
        whenOver.accept(this);
        result.complete(reached);
        if (publishing.context().job().isEmpty()) {
            // Who waits for it on another thread is given the time to say so.
            platform().delay().call(TELLING, record::told);
        }
    }

    /** Returns how messages call it. */
    String what() {
        return "transfer " + transfer() + " of " + Names.shown(record.manifest().name());
    }

    /** Whether an earlier process, or an earlier run of this one, may have sent or kept parts of it. */
    boolean isResumed() {
        return resumed;
    }

    OutgoingRecord record() {
        return record;
    }

    Halt halt() {
        return halt;
    }

    EntryLog entries() {
        return entries;
    }

    AckLog acks() {
        return acks;
    }

    Tally tally() {
        return tally;
    }

    Offers offers() {
        return offers;
    }

    private PublisherContext.Platform platform() {
        return publishing.context().platform();
    }

    private long nanoTime() {
        return publishing.context().platform().nanoTime().getAsLong();
    }

    private double secondsSince(long fromNs) {
        return (nanoTime() - fromNs) / NANOS;
    }
}
