package io.longhaul.broker.artemis;

import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.apache.activemq.artemis.core.replication.ReplicationManager;
import org.apache.activemq.artemis.utils.AbstractLatch;

/**
 * The copy of everything that a backup begins with; it ends as soon as the backup is lost.
 *
 * <h2>Design</h2>
 * Artemis waits for a backup that is lost as long as for one that is slow, which is a minute: in the last step with the storage
 * locked, so that nothing is taken in; in the midst of a file without that, but it stops whatever other copy is being made by
 * the end of that minute. So the thread of a copy is interrupted where it waits for its mirror, which never moves on once that
 * is lost; nowhere else, since an interrupt would close the journal's files under whoever writes them.
 */
final class FirstCopy {
    private static final long LOOK_MILLIS = 100;

    private final ReplicationManager mirror;
    private final Thread thread = Thread.currentThread();
    private boolean interrupted; // guarded by this
    private boolean over; // guarded by this

    private FirstCopy(ReplicationManager mirror) {
        this.mirror = mirror;
    }

    /** Makes it on this thread; throws when the backup is lost before the end. */
    static void make(ReplicationManager mirror, ScheduledExecutorService scheduler, Callable<?> steps)
            throws Exception {
        FirstCopy copy = new FirstCopy(mirror);
        ScheduledFuture<?> looks =
                scheduler.scheduleWithFixedDelay(copy::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        try {
            steps.call();
        } finally {
            looks.cancel(false);
            copy.end();
        }
        if (!MirrorGuard.isWhole(mirror)) {
            throw new ActiveMQDisconnectedException("the backup was lost in the last step of its copy");
        }
    }

    private synchronized void look() {
        if (!over && !MirrorGuard.isWhole(mirror) && waits(thread.getStackTrace())) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** What comes next on this thread is not interrupted. */
    private synchronized void end() {
        over = true;
        if (interrupted) {
            Thread.interrupted();
        }
    }

    private static boolean waits(StackTraceElement[] calls) {
        return Stream.of(AbstractLatch.class, ReplicationManager.class)
                .allMatch(each ->
                        Stream.of(calls).anyMatch(call -> call.getClassName().equals(each.getName())));
    }
}
