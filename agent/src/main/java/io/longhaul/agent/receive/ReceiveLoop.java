package io.longhaul.agent.receive;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import io.longhaul.wire.RetainedAnswer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the receiver thread does: takes deliveries, fills batches, has them made durable, acknowledges.
 *
 * <p>While one batch is made durable the next is filled. A batch goes when it is full, when 20 ms have passed, or at
 * once when nothing else is waiting; one of a few pieces that nobody waits for goes after half a second, since the sync
 * and the commit of each piece by itself cost a receiver of a slow flow more than writing it. An acknowledgement covers
 * all deliveries before it, so it waits for the oldest that is not durable. When a batch fails for want of space,
 * everything that is not acknowledged is done again from the start, with what the ledger knows.
 */
final class ReceiveLoop {
    static final long MAX_BATCH_BYTES = 32L * 1024 * 1024;
    static final int MAX_BATCH_PIECES = 64;
    static final long MAX_BATCH_NS = 20_000_000L;
    static final long FEW_BYTES = 8L * 1024 * 1024;
    static final long LINGER_NS = 500_000_000L;
    private static final int MAX_BATCH_SLOTS = 2048;
    private static final Duration BUSY_POLL = Duration.ofMillis(2);
    private static final Duration SYNC_POLL = Duration.ofMillis(10);
    private static final Duration IDLE_POLL = Duration.ofMillis(50);

    private final ReceiverContext context;
    private final Inflow inflow;
    private final Intake intake;
    private final IncomingTransfers transfers;
    private final Orphans orphans;
    private final Supersession supersession;
    private final Repairs repairs;
    private final CatchUp catchUp;
    private final ManifestAsker manifests;
    private final Patience patience;
    private final Executor syncer;
    private final long batchBytes;
    private final Inbox inbox;
    private final Consumer<TransferRow> predecessors;
    private final BooleanSupplier closing;
    private final Quiet quiet;
    private final FlowWatch flow;
    private final Deque<WriteBatch.Slot> unacknowledged = new ArrayDeque<>();
    private final Queue<String> forgotten = new ArrayDeque<>();
    private final Deque<Delivery> again = new ArrayDeque<>();
    private final Queue<Reopened> reopened = new ConcurrentLinkedQueue<>();
    private final Queue<Incoming> over = new ConcurrentLinkedQueue<>();
    private final Queue<Unwanted> unwanted = new ConcurrentLinkedQueue<>();
    private WriteBatch batch = new WriteBatch();
    private long batchSinceNs;
    private volatile boolean resting; // whether it waits with nothing under way

    private @Nullable WriteBatch syncing;
    private @Nullable CompletableFuture<Void> sync;

    /** A transfer that verification found damaged, and the pieces that are. */
    record Reopened(Incoming incoming, BitSet damaged) {}

    /**
     * What the loop works with.
     *
     * @param predecessors takes up what the ledger has of a transfer, as that of a predecessor
     * @param closing whether to stop
     */
    record Parts(
            Inflow inflow,
            Intake intake,
            IncomingTransfers transfers,
            Repairs repairs,
            CatchUp catchUp,
            ManifestAsker manifests,
            Patience patience,
            Executor syncer,
            Inbox inbox,
            Consumer<TransferRow> predecessors,
            BooleanSupplier closing) {}

    ReceiveLoop(ReceiverContext context, Parts parts, Orphans orphans, Supersession supersession, long batchBytes) {
        this.context = context;
        this.inflow = parts.inflow();
        this.intake = parts.intake();
        this.transfers = parts.transfers();
        this.repairs = parts.repairs();
        this.catchUp = parts.catchUp();
        this.manifests = parts.manifests();
        this.patience = parts.patience();
        this.syncer = parts.syncer();
        this.inbox = parts.inbox();
        this.predecessors = parts.predecessors();
        this.closing = parts.closing();
        this.orphans = orphans;
        this.supersession = supersession;
        this.batchBytes = batchBytes;
        this.quiet = new Quiet(now());
        this.flow = new FlowWatch(inflow, unacknowledged::size, context.nanoTime());
    }

    /** Gives a transfer back for repair; any thread. */
    void reopen(Incoming incoming, BitSet damaged) {
        reopened.add(new Reopened(incoming, damaged));
    }

    /** Says that a transfer is over; any thread. */
    void over(Incoming incoming) {
        over.add(incoming);
    }

    /** Gives up a transfer that is incomplete; completes when the ledger has it, fails with why not. Any thread. */
    CompletableFuture<Void> cancel(String transfer, Unpromised unpromised) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        unwanted.add(new Unwanted(transfer, unpromised, done));
        return done;
    }

    /** Takes up a transfer that is incomplete; the receiver's thread only. */
    void resume(Incoming incoming) {
        noteBatchStart();
        supersession.look(incoming, batch);
    }

    /** Does what there is to do, waiting a little for a delivery; a lack of space is waited for in here. */
    void step() throws InterruptedException {
        try {
            recall();
            fromFinisher();
            giveUpUnwanted();
            settle(false);
            Delivery delivery = again.isEmpty() ? poll() : again.pollFirst();
            if (delivery != null) {
                quiet.disturbed(now());
                take(delivery);
            }
            fromInbox();
            intake.telling().late();
            giveUp(orphans.expired(now()));
            fromHolders();
            if (!catchUp.isDone()) {
                noteBatchStart();
                catchUp.tick(batch, flow::isEmpty);
            }
            repairs.tick(flow::isEmpty);
            if (isDue(delivery == null)) {
                submit();
            }
        } catch (StorageException e) {
            startOver();
            patience.await(e);
            transfers.forgetProgress(); // until here it is unfinished work, though nothing of it may be durable
        }
    }

    /** Makes durable what was taken and acknowledges it. */
    void finish() {
        if (!batch.isEmpty()) {
            submit();
        }
        settle(true);
    }

    /** Closes the files of batches that will not be made durable any more. */
    void abandon() {
        batch.closeFiles();
    }

    private long now() {
        return context.nanoTime().getAsLong();
    }

    /** Ends the wait of a loop that has nothing to do, so that it closes at once; any thread, after closing has begun. */
    void wake() {
        if (resting) {
            inflow.close();
        }
    }

    private @Nullable Delivery poll() throws InterruptedException {
        Duration wait = waitForPoll();
        resting = wait.compareTo(IDLE_POLL) > 0;
        try {
            return inflow.poll(resting && closing.getAsBoolean() ? Duration.ZERO : wait);
        } finally {
            resting = false;
        }
    }

    private Duration waitForPoll() {
        boolean patient = batch.isEmpty() || lingers();
        if (sync == null && !patient) {
            return Duration.ZERO;
        }
        if (!patient || repairs.isBusy() || !inbox.isEmpty()) {
            return BUSY_POLL;
        }
        if (sync != null) {
            return SYNC_POLL;
        }
        if (!catchUp.isDone() || manifests.isBusy()) {
            quiet.disturbed(now());
        }
        return batch.isEmpty() && transfers.active().isEmpty() ? quiet.patience(now()) : IDLE_POLL;
    }

    private void take(Delivery delivery) {
        WriteBatch.Slot slot = new WriteBatch.Slot(delivery);
        unacknowledged.addLast(slot);
        noteBatchStart();
        if (delivery.frame().isEmpty()) {
            manifests.damaged(delivery, batch);
            batch.slot(slot);
            return;
        }
        Frame frame = delivery.frame().get();
        if (intake.take(frame, delivery.order(), false, batch)) {
            batch.slot(slot);
            adopt(frame);
        } else {
            giveUp(orphans.add(slot, (Piece) frame, now()));
        }
    }

    private void giveUp(List<Orphans.Held> given) {
        for (Orphans.Held held : given) {
            manifests.dropped(held.piece(), batch);
            batch.slot(held.slot());
        }
    }

    /** A manifest brings along what came before it. */
    private void adopt(Frame frame) {
        for (Orphans.Held held : orphans.of(frame)) {
            intake.take(held.piece(), 0, false, batch);
            batch.slot(held.slot());
        }
    }

    private void fromHolders() {
        for (RetainedAnswer.Retained each : manifests.tick(flow::isEmpty)) {
            noteBatchStart();
            intake.take(each.manifest(), each.order(), false, batch);
            adopt(each.manifest());
            intake.take(each.seal(), 0, false, batch);
        }
    }

    private void fromInbox() {
        Frame frame = inbox.peek();
        while (frame != null && !isFull()) {
            if (frame instanceof Piece piece) {
                noteBatchStart();
                intake.take(frame, 0, true, batch);
                repairs.arrived(piece);
            } else if (frame instanceof RetainedAnswer answer) {
                catchUp.answered(answer);
                manifests.answered(answer);
            } else {
                repairs.answered(frame);
            }
            inbox.remove();
            frame = inbox.peek();
        }
    }

    /**
     * What was forgotten and the ledger knows may lack pieces, or an end, that no delivery will bring; or the ledger has
     * taken its end and could only not make it durable.
     */
    private void recall() {
        for (String id = forgotten.peek(); id != null; id = forgotten.peek()) {
            transfers.forgotten(id).ifPresent(predecessors);
            forgotten.remove();
        }
    }

    private void fromFinisher() {
        for (Reopened each = reopened.poll(); each != null; each = reopened.poll()) {
            intake.reopen(each.incoming(), each.damaged());
            resume(each.incoming());
        }
        for (Incoming each = over.poll(); each != null; each = over.poll()) {
            transfers.end(each);
            noteBatchStart();
            supersession.after(each, batch);
        }
    }

    /** At once, whatever else is to be done: what is given up may be what has filled the disk. */
    private void giveUpUnwanted() {
        for (Unwanted each = unwanted.poll(); each != null; each = unwanted.poll()) {
            each.giveUp(transfers, this::discard);
        }
    }

    private void discard(Incoming incoming) {
        noteBatchStart();
        intake.refuse(incoming, Receiver.CANCELLED, batch);
        submit();
        settle(true);
    }

    private void noteBatchStart() {
        if (batch.isEmpty()) {
            batchSinceNs = now();
        }
    }

    private boolean isFull() {
        return batch.bytes() >= batchBytes
                || batch.pieces() >= MAX_BATCH_PIECES
                || batch.slots().size() >= MAX_BATCH_SLOTS;
    }

    private boolean isDue(boolean idle) {
        if (batch.isEmpty()) {
            return false;
        }
        if (isFull()) {
            return true;
        }
        if (sync != null) {
            return false;
        }
        long ageNs = now() - batchSinceNs;
        return lingers() ? ageNs >= LINGER_NS : idle && again.isEmpty() || ageNs >= MAX_BATCH_NS;
    }

    private boolean lingers() {
        return batch.isOfPieces() && batch.bytes() < FEW_BYTES;
    }

    private void submit() {
        settle(true);
        WriteBatch full = batch;
        batch = new WriteBatch();
        syncing = full;
        sync = CompletableFuture.runAsync(() -> full.makeDurable(context.disk(), context.ledger()), syncer);
    }

    /** Acknowledges what has become durable; throws what the batch failed with. */
    private void settle(boolean wait) {
        CompletableFuture<Void> running = sync;
        WriteBatch durable = syncing;
        if (running == null || durable == null || !wait && !running.isDone()) {
            return;
        }
        Commits.await(running);
        sync = null;
        syncing = null;
        patience.recovered();
        durable.slots().forEach(slot -> slot.durable = true);
        Delivery last = null;
        while (!unacknowledged.isEmpty() && unacknowledged.peekFirst().durable) {
            last = unacknowledged.removeFirst().delivery;
        }
        if (last != null) {
            inflow.acknowledge(last);
        }
    }

    /** Forgets everything that is not durable, and has it done again. */
    private void startOver() {
        batch.closeFiles();
        forgotten.addAll(batch.ended());
        batch = new WriteBatch();
        if (sync != null) {
            sync.exceptionally(failure -> null).join();
        }
        if (syncing != null) {
            forgotten.addAll(syncing.ended());
        }
        sync = null;
        syncing = null;
        forgotten.addAll(transfers.forgetUnrecorded());
        orphans.clear();
        catchUp.startOver();
        while (!unacknowledged.isEmpty()) {
            again.addFirst(unacknowledged.removeLast().delivery);
        }
    }
}
