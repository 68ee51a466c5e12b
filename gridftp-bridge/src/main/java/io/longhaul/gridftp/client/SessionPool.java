package io.longhaul.gridftp.client;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions with one server as one user: a bounded number, used again while they answer. Thread-safe.
 *
 * <p>A lease is the right to one session, and comes with a thread for as long as its holder talks. The number of leases
 * is bounded, so that of threads is. A transfer holds its lease for as long as its client takes: some are for commands only,
 * which wait for no client.
 */
public final class SessionPool implements AutoCloseable {
    private static final int MOST_WAITING = 4096;
    private static final long SWEEP_SECONDS = 5;
    private static final long STOP_SECONDS = 5;

    /** One that answered so shortly before is not asked whether it does: of many small files that is a part of the time. */
    private static final Duration RECENT = Duration.ofSeconds(1);

    private final ClientConfig config;
    private final LongSupplier nanoTime;
    private final LoginGate gate;
    private final Network network;
    private final ExecutorService talking;
    private final ScheduledFuture<?> sweeping;

    private final Deque<Idle> idle = new ArrayDeque<>(); // guarded by this
    private final Deque<Waiter> waiting = new ArrayDeque<>(); // guarded by this
    private int leased; // guarded by this
    private int transfers; // of those leased; guarded by this
    private int longCommands; // of those leased; guarded by this
    private boolean closed; // guarded by this

    private record Idle(Session session, long sinceNs) {}

    /** What a session is for. */
    private enum Use {
        /** Short. */
        COMMAND,
        /** As long as a file is long: a checksum. */
        LONG_COMMAND,
        /** As long as somebody else takes. */
        TRANSFER,
        /** Beside another one, and not counted. */
        SECOND
    }

    private record Waiter(Use use, CompletableFuture<Lease> lease) {}

    /**
     * Prepares; connects to nobody.
     *
     * @param network stays the caller's to close after this
     */
    public SessionPool(ClientConfig config, Network network, LongSupplier nanoTime) {
        this(config, network, nanoTime, threads());
    }

    private static ThreadFactory threads() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "gridftp-talk-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    SessionPool(ClientConfig config, Network network, LongSupplier nanoTime, ThreadFactory threads) {
        this.config = config;
        this.network = network;
        this.nanoTime = nanoTime;
        this.gate = new LoginGate(nanoTime);
        this.talking = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, STOP_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
        this.sweeping = network.next().scheduleAtFixedRate(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns the server and how it is used. */
    public ClientConfig config() {
        return config;
    }

    /** Says something in a session of its own, on a thread that may wait. */
    public <T> CompletableFuture<T> talk(Function<? super Lease, ? extends T> talk) {
        return talk(Use.COMMAND, talk);
    }

    /** The same for what takes long: it leaves sessions to transfers, and to what does not. */
    public <T> CompletableFuture<T> talkLong(Function<? super Lease, ? extends T> talk) {
        return talk(Use.LONG_COMMAND, talk);
    }

    private <T> CompletableFuture<T> talk(Use use, Function<? super Lease, ? extends T> talk) {
        CompletableFuture<T> said = new CompletableFuture<>();
        lease(use).whenComplete((lease, failure) -> {
            if (failure != null) {
                said.completeExceptionally(failure);
                return;
            }
            if (said.isDone()) {
                // nobody waits for it any more
                lease.close();
                return;
            }
            run(() -> talk.apply(lease)).whenComplete((result, failed) -> {
                // before anybody hears of it, so that who asks again finds it free
                lease.close();
                if (failed == null) {
                    said.complete(result);
                } else {
                    said.completeExceptionally(failed);
                }
            });
        });
        return said;
    }

    /** Does something on a thread that may wait; for whoever has a lease. */
    public <T> CompletableFuture<T> run(Callable<? extends T> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            talking.execute(() -> {
                try {
                    done.complete(task.call());
                } catch (Throwable e) {
                    // whoever waits must hear of errors too
                    done.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(shut());
        } catch (Error e) {
            // who has the lease must hear of it, or never gives it back
            done.completeExceptionally(
                    BackendException.away(config.url().address() + ": no thread to talk to it: " + e, e));
        }
        return done;
    }

    /** Returns what is done after a pause. */
    public CompletableFuture<Void> after(Duration pause) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        network.next().schedule(() -> over.complete(null), pause.toMillis(), TimeUnit.MILLISECONDS);
        return over;
    }

    /** Does something short now and then, on an event loop, until that is cancelled. */
    public Future<?> every(Duration pause, Runnable task) {
        return network.next().scheduleAtFixedRate(task, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private BackendException shut() {
        return new BackendException(Code.UNAVAILABLE, config.url().address() + ": the back end is closed");
    }

    /** Asks for the right to a session for a transfer; fails when none becomes free in time. */
    public CompletableFuture<Lease> lease() {
        return lease(Use.TRANSFER);
    }

    /** Returns whether somebody waits for a session for a transfer. */
    public synchronized boolean isCrowded() {
        return waiting.stream().anyMatch(waiter -> waiter.use() == Use.TRANSFER);
    }

    private CompletableFuture<Lease> lease(Use use) {
        CompletableFuture<Lease> lease = new CompletableFuture<>();
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(shut());
            }
            if (isFree(use)) {
                count(use, 1);
                lease.complete(new Lease(use));
                return lease;
            }
            if (waiting.size() == MOST_WAITING) {
                return CompletableFuture.failedFuture(busy());
            }
            waiting.add(new Waiter(use, lease));
        }
        network.next()
                .schedule(
                        () -> {
                            synchronized (this) {
                                // whoever takes it from the queue may still be about to complete it
                                if (!waiting.removeIf(candidate -> candidate.lease() == lease)) {
                                    return;
                                }
                            }
                            lease.completeExceptionally(busy());
                        },
                        patience(use).toMillis(),
                        TimeUnit.MILLISECONDS);
        return lease;
    }

    /** Who waits behind others that take long waits as long as one of them may take. */
    private Duration patience(Use use) {
        return use == Use.COMMAND ? config.limits().reply() : config.limits().end();
    }

    private int most() {
        return config.limits().sessions() + config.limits().commandSessions();
    }

    private synchronized boolean isFree(Use use) {
        // half of those for commands, so that they leave transfers theirs and others the other half
        int mostLong = Math.max(1, config.limits().commandSessions() / 2);
        return leased < most()
                && (use != Use.LONG_COMMAND || longCommands < mostLong)
                && (use != Use.TRANSFER || transfers < config.limits().sessions());
    }

    private synchronized void count(Use use, int change) {
        leased += use == Use.SECOND ? 0 : change;
        transfers += use == Use.TRANSFER ? change : 0;
        longCommands += use == Use.LONG_COMMAND ? change : 0;
    }

    private BackendException busy() {
        // nobody has asked the server
        return BackendException.away(
                config.url().address() + ": Connection timed out: all " + most() + " sessions are in use, "
                        + config.limits().sessions() + " of them at most by transfers",
                null);
    }

    /**
     * Returns the right to one more session for somebody who has a lease and needs two at a time. It does not wait, since
     * those who wait for each other would wait for ever.
     */
    public Lease second() {
        return new Lease(Use.SECOND);
    }

    /** The right to one session. One thread at a time, but for closing. */
    public final class Lease implements AutoCloseable {
        private final Use use;
        private @Nullable Session session; // guarded by this
        private boolean given; // guarded by this

        private Lease(Use use) {
            this.use = use;
        }

        /** Returns the session: the same as before while it lives, else another one. May wait. */
        public Session session() {
            synchronized (this) {
                if (given) {
                    throw shut();
                }
                if (session != null && session.isReady()) {
                    return session;
                }
            }
            Session opened = open();
            Session old;
            synchronized (this) {
                old = given ? opened : session;
                session = given ? null : opened;
            }
            if (old != null) {
                old.close();
            }
            return opened;
        }

        /** Returns whether there is a session that lives. */
        public synchronized boolean isAlive() {
            return session != null && session.isReady();
        }

        /** Gives it back. A session that is in the middle of something is closed. Idempotent. */
        @Override
        public void close() {
            Session last;
            synchronized (this) {
                if (given) {
                    return;
                }
                given = true;
                last = session;
                session = null;
            }
            giveBack(last, use);
        }
    }

    private Session open() {
        while (true) {
            Idle candidate;
            synchronized (this) {
                if (closed) {
                    throw shut();
                }
                candidate = idle.pollLast();
            }
            if (candidate == null) {
                return gate.pass(() -> Session.open(config, network.next()));
            }
            // a server that is going down has ended sessions of which nobody has heard yet
            boolean isRecent = nanoTime.getAsLong() - candidate.sinceNs() < RECENT.toNanos();
            if (isRecent ? candidate.session().isReady() : candidate.session().isAlive()) {
                return candidate.session();
            }
            candidate.session().close();
        }
    }

    private void giveBack(@Nullable Session session, Use use) {
        boolean kept = false;
        Waiter next = null;
        synchronized (this) {
            if (session != null && session.isReady() && !closed && idle.size() < most()) {
                idle.add(new Idle(session, nanoTime.getAsLong()));
                kept = true;
            }
            count(use, -1);
            next = waiting.stream()
                    .filter(waiter -> isFree(waiter.use()))
                    .findFirst()
                    .orElse(null);
            if (next != null) {
                waiting.remove(next);
                count(next.use(), 1);
            }
        }
        if (session != null && !kept) {
            session.close();
        }
        if (next != null) {
            Lease lease = new Lease(next.use());
            if (!next.lease().complete(lease)) {
                lease.close();
            }
        }
    }

    private void sweep() {
        List<Session> old = new ArrayList<>();
        long now = nanoTime.getAsLong();
        synchronized (this) {
            idle.removeIf(candidate -> {
                boolean stale = !candidate.session().isReady()
                        || now - candidate.sinceNs() > config.limits().idle().toNanos();
                if (stale) {
                    old.add(candidate.session());
                }
                return stale;
            });
        }
        old.forEach(Session::close);
    }

    /** Ends all sessions; whoever talks is told so. Waits a little for those who tidy up. */
    @Override
    public void close() {
        List<Idle> unused;
        List<Waiter> refused;
        synchronized (this) {
            closed = true;
            unused = List.copyOf(idle);
            idle.clear();
            refused = List.copyOf(waiting);
            waiting.clear();
        }
        sweeping.cancel(false);
        refused.forEach(waiter -> waiter.lease().completeExceptionally(shut()));
        unused.forEach(candidate -> candidate.session().close());
        talking.shutdown();
        try {
            if (!talking.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                talking.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
