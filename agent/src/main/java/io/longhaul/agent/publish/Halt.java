package io.longhaul.agent.publish;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A publication's order to stop, looked at wherever one of its threads waits.
 *
 * <p>Threads are not interrupted: an interrupt that meets a thread inside the ledger or the spool closes their files
 * for everybody.
 */
final class Halt {
    private static final long CHECK_MILLIS = 50;

    private @Nullable RuntimeException reason; // guarded by this

    /** Orders the stop; the first reason stays. */
    synchronized void request(RuntimeException newReason) {
        if (reason == null) {
            reason = newReason;
        }
        notifyAll();
    }

    /** Whether it was ordered by a person who gave the publication up. */
    synchronized boolean isForGood() {
        return reason instanceof Halted halted && halted.isForGood();
    }

    /** Throws the reason if there is one. */
    synchronized void check() {
        if (reason != null) {
            throw reason;
        }
    }

    /** Waits so long, or a little less, or throws the reason as soon as there is one. */
    @SuppressWarnings("WaitNotInLoop") // the caller tries again whatever the reason of the wake-up
    synchronized void pause(long millis) throws InterruptedException {
        check();
        wait(millis);
        check();
    }

    /** Waits on a monitor that the caller holds, for a while at most. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops on its condition
    void await(Object monitor) throws InterruptedException {
        check();
        monitor.wait(CHECK_MILLIS);
    }

    /** Takes an item, waiting for one. */
    <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        T item = null;
        while (item == null) {
            check();
            item = queue.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        }
        return item;
    }
}
