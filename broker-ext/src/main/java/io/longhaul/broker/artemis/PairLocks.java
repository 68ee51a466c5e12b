package io.longhaul.broker.artemis;

import io.longhaul.broker.witness.WitnessException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.lockmanager.DistributedLock;
import org.apache.activemq.artemis.lockmanager.DistributedLockManager;
import org.apache.activemq.artemis.lockmanager.MutableLong;
import org.apache.activemq.artemis.lockmanager.UnavailableStateException;

/**
 * The pair's {@link io.longhaul.broker.witness.Arbiter} as Artemis asks for it: its lock is the claim, its number the term.
 * Artemis makes one for each life of a server, by name; {@link Pair} has the rest.
 */
public final class PairLocks implements DistributedLockManager {
    private static final long WAIT_MILLIS = 200;
    private static final long DECISION_NS = TimeUnit.SECONDS.toNanos(4);
    private final Pair pair;
    private volatile boolean started;

    /** Takes which pair it is. */
    public PairLocks(Map<String, String> properties) {
        this.pair = Pair.of(String.valueOf(properties.get(PairConnectorFactory.PAIR)));
    }

    /** The backup is asked only when it is to take over, and then finds out by itself. */
    @Override
    public void addUnavailableManagerListener(UnavailableManagerListener listener) {}

    @Override
    public void removeUnavailableManagerListener(UnavailableManagerListener listener) {}

    @Override
    public boolean start(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException {
        start();
        return true;
    }

    /** Waits until somebody decides. */
    @Override
    public void start() throws InterruptedException, ExecutionException {
        while (!isDecidable()) {
            TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
        }
        started = true;
    }

    private boolean isDecidable() throws InterruptedException, ExecutionException {
        try {
            return pair.isDecidable();
        } catch (WitnessException e) {
            if (e.kind() != WitnessException.Kind.REFUSED) {
                return false; // it was lost between one question and the next
            }
            pair.failed(e);
            throw new ExecutionException(e);
        }
    }

    @Override
    public boolean isStarted() {
        return started;
    }

    @Override
    public void stop() {
        started = false;
        pair.giveUp();
    }

    @Override
    public DistributedLock getDistributedLock(String node) {
        return new Claim(node);
    }

    @Override
    public MutableLong getMutableLong(String node) {
        return new Term(node);
    }

    private UnavailableStateException unavailable(WitnessException cause) {
        if (cause.kind() == WitnessException.Kind.REFUSED) {
            pair.failed(cause);
        }
        return new UnavailableStateException(cause);
    }

    private static UnavailableStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new UnavailableStateException(cause);
    }

    /** What is asked of whoever decides. */
    private interface Question<T> {
        T ask() throws WitnessException, InterruptedException;
    }

    private <T> T answer(Question<T> question) throws UnavailableStateException {
        try {
            return question.ask();
        } catch (WitnessException e) {
            throw unavailable(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private final class Claim implements DistributedLock {
        private final String node;

        Claim(String node) {
            this.node = node;
        }

        @Override
        public String getLockId() {
            return node;
        }

        /** Waits a while for an answer: what this broker was asked meanwhile, it holds back. */
        @Override
        public boolean isHeldByCaller() throws UnavailableStateException {
            long startNs = System.nanoTime();
            while (true) {
                try {
                    return pair.claim(node);
                } catch (WitnessException e) {
                    if (!e.isPassing() || System.nanoTime() - startNs > DECISION_NS) {
                        throw unavailable(e);
                    }
                } catch (InterruptedException e) {
                    throw interrupted(e);
                }
                try {
                    TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
                } catch (InterruptedException e) {
                    throw interrupted(e);
                }
            }
        }

        @Override
        public boolean tryLock() throws UnavailableStateException, InterruptedException {
            try {
                return pair.mayLive() && pair.claim(node) && pair.begin();
            } catch (WitnessException e) {
                throw unavailable(e);
            }
        }

        @Override
        public boolean tryLock(long timeout, TimeUnit unit) throws UnavailableStateException, InterruptedException {
            long startNs = System.nanoTime();
            while (!tryLock()) {
                if (System.nanoTime() - startNs >= unit.toNanos(timeout)) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
            }
            return true;
        }

        @Override
        public void unlock() {
            pair.giveUp();
        }

        @Override
        public void addListener(UnavailableLockListener listener) {
            pair.onDeposed(listener::onUnavailableLockEvent);
        }

        @Override
        public void removeListener(UnavailableLockListener listener) {}

        @Override
        public void close() {
            pair.giveUp();
        }
    }

    private final class Term implements MutableLong {
        private final String node;

        Term(String node) {
            this.node = node;
        }

        @Override
        public String getMutableLongId() {
            return node;
        }

        @Override
        public long get() throws UnavailableStateException {
            return answer(() -> pair.term(node));
        }

        @Override
        public void set(long term) throws UnavailableStateException {
            answer(() -> {
                pair.arbiter().set(node, term);
                return term;
            });
        }

        @Override
        public boolean compareAndSet(long expected, long term) throws UnavailableStateException {
            return answer(() -> pair.arbiter().swap(node, expected, term));
        }

        @Override
        public void close() {}
    }
}
