package io.longhaul.agent.receive;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PathRefusedException;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings transfers that are all here to their end: verify, place, record, send the receipt.
 *
 * <pre>
 * COMPLETE  digest verified, mode and time set, forced
 * PLACING   name chosen and recorded with the file's inode; then rename; then directories synced; then carried on to
 *           the subscription's target, if it has one
 * DELIVERED recorded with the receipt; then staging removed, receipt offered
 * </pre>
 *
 * Every step may be repeated after a crash. Several transfers share ledger commits and directory syncs. Finisher thread
 * only, but for {@link #submit}.
 */
final class Finisher {
    private static final Logger LOG = LoggerFactory.getLogger(Finisher.class);
    private static final int MAX_GROUP = 64;

    private final ReceiverContext context;
    private final Executor thread;
    private final Patience patience;
    private final Announcer announcer;
    private final Receipts receipts;
    private final Verification verification;
    private final Placement placement;
    private final BlockingQueue<Incoming> waiting = new LinkedBlockingQueue<>();
    private final Events events;
    private final Onward onward;

    /** Who learns what became of a transfer. */
    interface Events {
        void reopen(Incoming incoming, BitSet damaged);

        void over(Incoming incoming);

        void failed(Throwable failure);

        boolean isClosing();
    }

    Finisher(
            ReceiverContext context,
            Executor thread,
            Patience patience,
            Announcer announcer,
            Receipts receipts,
            Placement placement,
            Events events) {
        this.context = context;
        this.thread = thread;
        this.patience = patience;
        this.announcer = announcer;
        this.receipts = receipts;
        this.placement = placement;
        this.events = events;
        this.verification = new Verification(context, events::isClosing);
        this.onward = new Onward(placement.target(), patience, events::isClosing);
    }

    /** Hands over a transfer that is all here; any thread. */
    void submit(Incoming incoming) {
        waiting.add(incoming);
        try {
            thread.execute(this::finishWaiting);
        } catch (RejectedExecutionException e) {
            waiting.clear();
        }
    }

    /** Ends what a predecessor recorded as delivered and may have left in its place; before anything is submitted. */
    void recordedBefore(TransferRow row, Collection<Path> placing) {
        onward.recordedBefore(row, placing);
    }

    private void finishWaiting() {
        try {
            List<Incoming> group = nextGroup();
            while (!group.isEmpty() && !events.isClosing()) {
                finish(group);
                group = nextGroup();
            }
        } catch (RuntimeException | Error e) {
            events.failed(e);
        }
    }

    /** Returns what waits, as far as no two would end under the same name. */
    private List<Incoming> nextGroup() {
        List<Incoming> group = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Incoming next = waiting.peek();
                next != null && group.size() < MAX_GROUP && names.add(topOf(next.manifest.name()));
                next = waiting.peek()) {
            group.add(waiting.remove());
        }
        return group;
    }

    private static String topOf(String name) {
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }

    private void finish(List<Incoming> group) {
        List<Incoming> verified = new ArrayList<>();
        for (Incoming incoming : group) {
            if (patience.whileFull(() -> unlessItFails(incoming, () -> verify(incoming)))) {
                verified.add(incoming);
            }
        }
        List<Incoming> placing = patience.whileFull(() -> choose(verified));
        List<Incoming> placed = patience.whileFull(() -> put(placing));
        onward.carry(placed, placement, this::carriedOn);
    }

    /** Records those that are where they are to be; nothing stays here of what never will be. */
    private void carriedOn(List<Incoming> there, Map<Incoming, String> refused) {
        refused.forEach((incoming, reason) -> {
            fail(incoming, reason);
            // after the record: a crash must not leave a transfer to be carried on without its bytes
            context.disk().deleteTree(Path.of(incoming.row.path()));
        });
        patience.whileFull(() -> record(there));
    }

    /**
     * Runs a step of one transfer and returns its result; false when the transfer has failed. What ended the subscription
     * instead would end it again at every start, and nothing would come after this transfer.
     */
    private boolean unlessItFails(Incoming incoming, BooleanSupplier step) {
        if (incoming.row.state() == TransferState.FAILED) {
            return false; // before a lack of space had the step repeated
        }
        try {
            return step.getAsBoolean();
        } catch (RefusedTransfer e) {
            fail(incoming, String.valueOf(e.getMessage()));
        } catch (PathRefusedException e) {
            if (!incoming.target.isWritable()) {
                throw e;
            }
            fail(incoming, String.valueOf(e.getMessage()));
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("transfer {} could not be finished", incoming.id(), e);
            fail(incoming, "unexpected " + e);
        }
        return false;
    }

    private boolean verify(Incoming incoming) {
        if (placement.isPlaced(incoming)) {
            return true;
        }
        long start = context.nanoTime().getAsLong();
        BitSet damaged = verification.verify(incoming);
        if (!damaged.isEmpty()) {
            reopen(incoming, damaged);
            return false;
        }
        IncomingDetail detail = IncomingDetail.parse(incoming.row.detail());
        double seconds = (context.nanoTime().getAsLong() - start) / 1e9;
        incoming.row = incoming.row.withDetail(
                detail.withSeconds(new IncomingDetail.Seconds(detail.seconds().receive(), seconds, 0))
                        .toJson());
        return true;
    }

    private void reopen(Incoming incoming, BitSet damaged) {
        announcer.notice("transfer " + incoming.id() + " " + Names.shown(incoming.manifest.name()) + ": "
                + damaged.cardinality() + " pieces in " + incoming.staging.directory()
                + " are damaged or gone (first: piece " + damaged.nextSetBit(0) + "), they will be asked for again");
        incoming.row = incoming.row.withState(TransferState.RECEIVING);
        Commits.await(context.ledger()
                .commit(List.of(
                        new LedgerChange.DeletePieces(
                                incoming.row.key(),
                                damaged.stream().asLongStream().boxed().toList()),
                        new LedgerChange.PutTransfer(incoming.row))));
        events.reopen(incoming, damaged);
    }

    private void fail(Incoming incoming, String reason) {
        announcer.notice(
                "transfer " + incoming.id() + " " + Names.shown(incoming.manifest.name()) + " is refused: " + reason);
        GivenUp given = GivenUp.of(context, incoming.row, IncomingDetail.parse(incoming.row.detail()), reason);
        Commits.await(context.ledger().commit(given.changes()));
        incoming.row = given.row();
        incoming.staging.discard();
        events.over(incoming);
        receipts.send(incoming.row);
    }

    /** Chooses names and records them before anything is renamed. */
    private List<Incoming> choose(List<Incoming> verified) {
        List<Incoming> chosen = new ArrayList<>();
        List<LedgerChange> changes = new ArrayList<>();
        for (Incoming incoming : verified) {
            boolean done = unlessItFails(incoming, () -> {
                placement.choose(incoming).ifPresent(row -> {
                    incoming.row = row;
                    changes.add(new LedgerChange.PutTransfer(row));
                });
                return true;
            });
            if (done) {
                chosen.add(incoming);
            }
        }
        if (!changes.isEmpty()) {
            Commits.await(context.ledger().commit(changes));
        }
        return chosen;
    }

    private List<Incoming> put(List<Incoming> placing) {
        List<Incoming> placed = new ArrayList<>();
        Set<Path> directories = new LinkedHashSet<>();
        for (Incoming incoming : placing) {
            if (unlessItFails(incoming, () -> put(incoming, directories))) {
                placed.add(incoming);
            }
        }
        directories.forEach(this::sync);
        return placed;
    }

    /** What its user has taken away meanwhile, with what was just placed there, is not waited for by others. */
    private void sync(Path directory) {
        try {
            context.disk().syncDirectory(directory);
        } catch (StorageException e) {
            if (!Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
    }

    /** Between choice and rename another process may have taken the name: then chooses anew. */
    private boolean put(Incoming incoming, Set<Path> directories) {
        while (incoming.row.state() == TransferState.PLACING && !placement.put(incoming, directories)) {
            // until it is recorded: a repetition of the whole step would place it under a name that is not
            if (patience.whileFull(() -> choose(List.of(incoming))).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private Boolean record(List<Incoming> placed) {
        List<LedgerChange> changes = new ArrayList<>();
        List<Runnable> then = new ArrayList<>();
        long now = context.nanoTime().getAsLong();
        for (Incoming incoming : placed) {
            TransferRow row = placement.delivered(incoming, now);
            Receipt receipt = Receipts.make(
                    context,
                    row,
                    placement.outcome(incoming),
                    incoming.sealed().length(),
                    incoming.sealed().digest(),
                    placement.receiptPath(incoming),
                    "");
            changes.addAll(receipts.changes(row, receipt));
            then.add(() -> end(incoming, row));
        }
        if (!changes.isEmpty()) {
            Commits.await(context.ledger().commit(changes));
        }
        then.forEach(Runnable::run);
        return true;
    }

    private void end(Incoming incoming, TransferRow row) {
        incoming.row = row;
        context.holdings().discard(row, incoming.staging::discard);
        onward.recorded(row);
        announcer.progress(incoming.progress("done"));
        events.over(incoming);
        receipts.send(row);
    }
}
