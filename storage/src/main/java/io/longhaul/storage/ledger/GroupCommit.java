package io.longhaul.storage.ledger;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.LedgerProvider;
import io.longhaul.storage.StorageException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's one writer: takes all requests that wait, writes them in one transaction, syncs once, answers all.
 *
 * <p>A request that needs durability is never kept waiting for others to join it; what comes while a sync runs is the
 * next group. Lazy requests wait up to {@value #LAZY_MILLIS} ms for company, and for a sync up to
 * {@value #UNSYNCED_MILLIS} ms. Spool slots are given back only once the change that frees them is durable: were one
 * written anew before, a power loss would bring back a row that names bytes that are gone.
 */
final class GroupCommit implements Runnable {
    private static final long LAZY_MILLIS = 20;
    private static final long UNSYNCED_MILLIS = 200;
    private static final int GROUP_ROWS = 4096;

    private record Request(
            List<LedgerChange> changes, boolean durable, CompletableFuture<Void> done, long handedOverNs) {}

    private static final Request STOP = new Request(List.of(), true, new CompletableFuture<>(), 0);

    private final Database database;
    private final ChangeWriter writer;
    private final Housekeeping housekeeping;
    private final LedgerProvider.SlotListener slots;
    private final Condition condition;
    private final LongSupplier nanoTime;
    private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();
    private final List<Long> freedUnsynced = new ArrayList<>(); // writer's thread only
    private boolean unsynced; // writer's thread only
    private long unsyncedSinceNs; // writer's thread only
    private boolean chores = true; // writer's thread only
    private boolean stopping; // guarded by queue

    GroupCommit(
            Database database,
            ChangeWriter writer,
            Housekeeping housekeeping,
            LedgerProvider.SlotListener slots,
            Condition condition,
            LongSupplier nanoTime) {
        this.database = database;
        this.writer = writer;
        this.housekeeping = housekeeping;
        this.slots = slots;
        this.condition = condition;
        this.nanoTime = nanoTime;
    }

    /** Refuses with NO_SPACE when the disk has no room for what a group may write, with LOST what nobody would find again. */
    interface Condition {
        void require();
    }

    CompletableFuture<Void> submit(List<LedgerChange> changes, boolean durable) {
        Request request = new Request(List.copyOf(changes), durable, new CompletableFuture<>(), nanoTime.getAsLong());
        synchronized (queue) {
            if (stopping) {
                request.done.completeExceptionally(
                        new StorageException(StorageException.Code.CLOSED, "the ledger is closed"));
            } else {
                queue.add(request);
            }
        }
        return request.done;
    }

    /** Lets the thread end after what was handed over before. */
    void stop() {
        synchronized (queue) {
            if (!stopping) {
                stopping = true;
                queue.add(STOP);
            }
        }
    }

    @Override
    public void run() {
        boolean going = true;
        while (going) {
            List<Request> group = new ArrayList<>();
            try {
                going = collect(group);
                if (!group.isEmpty()) {
                    write(group);
                }
                keepHouse();
                if (unsynced && (!going || nanoTime.getAsLong() - unsyncedSinceNs >= nanos(UNSYNCED_MILLIS))) {
                    syncQuietly();
                }
            } catch (RuntimeException | Error e) {
                failed(group, e);
            }
        }
    }

    /** Goes on after what nobody foresaw: without this thread nobody who waits for the ledger would ever be answered. */
    private void failed(List<Request> group, Throwable cause) {
        IllegalStateException failure = new IllegalStateException(cause.toString(), cause);
        try {
            rollback(failure);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
        // neither is begun again at once, or the thread might do nothing else
        chores = false;
        unsyncedSinceNs = nanoTime.getAsLong();
        StorageException answer = database.failure("write", failure);
        group.forEach(each -> each.done.completeExceptionally(answer));
    }

    /** Fills the group; returns false when this is the last one. */
    @SuppressWarnings("ReferenceEquality") // the order to stop is one object
    private boolean collect(List<Request> group) {
        boolean durable = false;
        long rows = 0;
        while (rows < GROUP_ROWS) {
            Request next;
            if (durable) {
                next = queue.poll();
            } else if (!group.isEmpty()) {
                next = poll(group.get(0).handedOverNs + nanos(LAZY_MILLIS) - nanoTime.getAsLong());
            } else if (chores) {
                next = queue.poll();
            } else if (unsynced) {
                next = poll(unsyncedSinceNs + nanos(UNSYNCED_MILLIS) - nanoTime.getAsLong());
            } else {
                next = poll(Long.MAX_VALUE);
            }
            if (next == STOP) {
                return false;
            }
            if (next == null) {
                return true;
            }
            group.add(next);
            durable |= next.durable;
            rows += rows(next);
        }
        return true;
    }

    private void keepHouse() {
        try {
            chores = housekeeping.step();
            if (chores) {
                committedUnsynced();
            }
        } catch (SQLException | StorageException e) {
            // who commits next is told; chores are begun again then
            rollback(e);
            chores = false;
        }
    }

    private @Nullable Request poll(long waitNs) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return queue.poll(waitNs, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    // only stop() ends this thread: requests behind it would never be answered
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long rows(Request request) {
        long rows = 0;
        for (LedgerChange change : request.changes) {
            if (change instanceof LedgerChange.PutPieces put) {
                rows += put.pieces().size();
            } else if (change instanceof LedgerChange.PutEntries put) {
                rows += put.entries().size();
            } else if (change instanceof LedgerChange.MarkSafe mark) {
                rows += mark.indexes().size();
            } else {
                rows++;
            }
        }
        return rows;
    }

    private void write(List<Request> group) {
        List<Request> committed = group;
        try {
            commit(group);
        } catch (StorageException e) {
            if (group.size() == 1 || e.code() == StorageException.Code.NO_SPACE) {
                group.forEach(each -> each.done.completeExceptionally(e));
                return;
            }
            committed = commitEach(group);
        }
        if (committed.stream().anyMatch(Request::durable)) {
            try {
                sync();
            } catch (StorageException e) {
                committed.forEach(each -> each.done.completeExceptionally(e));
                return;
            }
        }
        committed.forEach(each -> each.done.complete(null));
    }

    /** One request that cannot be written must not take the others with it. */
    private List<Request> commitEach(List<Request> group) {
        List<Request> committed = new ArrayList<>();
        for (Request request : group) {
            try {
                commit(List.of(request));
                committed.add(request);
            } catch (StorageException e) {
                request.done.completeExceptionally(e);
            }
        }
        return committed;
    }

    private void commit(List<Request> group) {
        condition.require();
        try {
            for (Request request : group) {
                for (LedgerChange change : request.changes) {
                    writer.apply(change);
                }
            }
            database.writing().commit();
            freedUnsynced.addAll(writer.takeFreed());
            committedUnsynced();
        } catch (SQLException | RuntimeException e) {
            rollback(e);
            throw database.failure("write", e);
        } catch (Error e) {
            IllegalStateException failure = new IllegalStateException(e.toString(), e);
            rollback(failure);
            throw database.failure("write", failure);
        }
    }

    private void committedUnsynced() {
        if (!unsynced) {
            unsynced = true;
            unsyncedSinceNs = nanoTime.getAsLong();
        }
    }

    private void rollback(Exception cause) {
        writer.takeFreed();
        try {
            database.writing().rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private void sync() {
        database.sync();
        unsynced = false;
        if (!freedUnsynced.isEmpty()) {
            List<Long> positions = List.copyOf(freedUnsynced);
            freedUnsynced.clear();
            slots.freed(positions);
        }
    }

    /** Nobody waits for this sync; if it fails, the next one that somebody waits for fails too. */
    private void syncQuietly() {
        try {
            sync();
        } catch (StorageException e) {
            unsyncedSinceNs = nanoTime.getAsLong();
        }
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
