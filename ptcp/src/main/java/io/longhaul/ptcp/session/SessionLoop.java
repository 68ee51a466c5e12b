package io.longhaul.ptcp.session;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loop that a session runs on, and its time; thread-safe. What comes after the loop's end is dropped. */
final class SessionLoop implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLoop.class);
    private static final OncePerSecond FAILURES =
            new OncePerSecond((kind, story) -> LOG.warn("a timer failed: {}", story), System::nanoTime);
    private final String session;
    private final EventLoop loop;
    private final LongSupplier nanoTime;

    /** Takes the session's name, for the log. */
    SessionLoop(String session, EventLoop loop, LongSupplier nanoTime) {
        this.session = session;
        this.loop = loop;
        this.nanoTime = nanoTime;
    }

    long nowNs() {
        return nanoTime.getAsLong();
    }

    boolean isHere() {
        return loop.inEventLoop();
    }

    /** Runs it, at once when this is the loop. */
    void now(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /** Runs it, never inside of what runs there now. */
    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the event loop has ended", e);
        }
    }

    /**
     * Has a channel served by this loop, and runs the task there; not when the channel is closed meanwhile. Until then nobody
     * else may use it. Several loops would hand over to each other what they do for a session, and wake up for it each time.
     */
    void take(Channel channel, Runnable task) {
        if (channel.eventLoop() == loop) {
            execute(task);
        } else {
            channel.deregister().addListener(left -> register(channel, task));
        }
    }

    private void register(Channel channel, Runnable task) {
        if (loop.isShuttingDown()) {
            channel.close();
            return;
        }
        loop.register(channel).addListener(taken -> {
            if (taken.isSuccess()) {
                task.run();
            } else {
                channel.close();
            }
        });
    }

    void afterPause(Runnable task, long pauseNs) {
        loop.schedule(task, pauseNs, TimeUnit.NANOSECONDS);
    }

    /** Runs it again and again, also when it failed: a moment without memory must not leave a session without limits. */
    Future<?> every(Runnable task, long periodNs) {
        return loop.scheduleAtFixedRate(() -> attempt(task), periodNs, periodNs, TimeUnit.NANOSECONDS);
    }

    private void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            tell(e);
        }
    }

    private void tell(Throwable failure) {
        try {
            FAILURES.accept("timer", "session " + session + ": " + failure);
            LOG.debug("session {}: a timer failed", session, failure);
        } catch (RuntimeException | Error e) {
            // without memory nothing can be told, and what ends the timer would end all limits with it
        }
    }
}
