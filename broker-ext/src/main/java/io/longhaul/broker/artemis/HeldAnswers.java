package io.longhaul.broker.artemis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.jspecify.annotations.Nullable;

/**
 * Answers to frames that came too early: they wait until they are due, and nothing else does.
 *
 * <h2>Design</h2>
 * A publisher may have a window of bytes unanswered, so who answers decides how fast it sends: no thread waits, no connection
 * stops, and signs of life, acknowledgements and questions of the same agent pass. Artemis asks for an answer right after it
 * has taken a frame, on the same thread; so {@link #hold} leaves a note there, and {@link #gated} finds it. Answers of one
 * session stay in order. Those of a session that has ended are given to nobody. What is still owed is asked again every second,
 * since limits change: a window of bytes at a rate that was too low by mistake is hours.
 *
 * <p>Thread-safe.
 */
final class HeldAnswers {
    private static final long MOST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private final Timer timer;
    private final Map<Object, Line> lines = new ConcurrentHashMap<>(); // by session

    @SuppressWarnings("ThreadLocalUsage") // one for each broker of the process; a thread keeps a note for a moment only
    private final ThreadLocal<@Nullable Note> notes = new ThreadLocal<>();

    /** Runs something after a time, on any thread; does not block. */
    @FunctionalInterface
    interface Timer {
        void after(long delayNs, Runnable task);
    }

    private record Note(Line line, Due due) {}

    /** When an answer is to be given: at a time, or earlier, when for so many nanoseconds nothing is owed. */
    private record Due(long atNs, LongSupplier owedNs) {
        long leftNs(long nowNs) {
            return Math.min(atNs - nowNs, owedNs.getAsLong());
        }
    }

    HeldAnswers(LongSupplier nanoTime, Timer timer) {
        this.nanoTime = nanoTime;
        this.timer = timer;
    }

    /** Returns a timer of a pool that may come and go; what a stopped one was given is lost, with its sessions. */
    static Timer timer(Supplier<@Nullable ScheduledExecutorService> pool) {
        return (delayNs, task) -> {
            ScheduledExecutorService now = pool.get();
            if (now != null) {
                try {
                    now.schedule(task, delayNs, TimeUnit.NANOSECONDS);
                } catch (RejectedExecutionException e) {
                    // the server stops: nobody waits for this answer any more
                }
            }
        };
    }

    /**
     * The next answer that this thread asks for is not to be given before its time, and after those of the same session
     * that wait.
     *
     * @param executor the session's own, in order
     * @param owedNs for how many nanoseconds from the time on at which it is asked something is owed
     */
    void hold(Object session, Executor executor, long delayNs, LongSupplier owedNs) {
        Line line = delayNs > 0 ? lines.computeIfAbsent(session, key -> new Line(executor)) : lines.get(session);
        if (line != null) {
            notes.set(new Note(line, new Due(nanoTime.getAsLong() + delayNs, owedNs)));
        }
    }

    /** This thread begins with another frame: what was noted for the last one was not asked for. */
    void forget() {
        notes.remove();
    }

    /** Forgets a session that has ended, and what it waits for. */
    void ended(Object session) {
        Line line = lines.remove(session);
        if (line != null) {
            line.empty();
        }
    }

    /** Returns what is to be done with an answer in the place of giving it. */
    IOCallback gated(IOCallback answer) {
        Note note = notes.get();
        if (note == null) {
            return answer;
        }
        notes.remove();
        return note.line().add(answer, note.due());
    }

    private final class Line {
        private final Executor executor;
        private final Deque<Held> waiting = new ArrayDeque<>(); // guarded by this
        private boolean timed; // guarded by this; somebody will look again

        Line(Executor executor) {
            this.executor = executor;
        }

        synchronized IOCallback add(IOCallback answer, Due due) {
            Held held = new Held(this, answer, due);
            waiting.add(held);
            return held;
        }

        synchronized void empty() {
            waiting.clear();
        }

        void look() {
            executor.execute(this::give);
        }

        private void give() {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
        }

        private synchronized @Nullable Runnable next() {
            Held first = waiting.peek();
            Runnable outcome = first == null ? null : first.outcome;
            if (first == null || outcome == null || timed) {
                return null;
            }
            long leftNs = first.due.leftNs(nanoTime.getAsLong());
            if (leftNs > 0) {
                timed = true;
                timer.after(Math.min(leftNs, MOST_WAIT_NS), () -> {
                    synchronized (this) {
                        timed = false;
                    }
                    look();
                });
                return null;
            }
            waiting.remove();
            return outcome;
        }
    }

    private static final class Held implements IOCallback {
        private final Line line;
        private final IOCallback answer;
        private final Due due;
        private @Nullable Runnable outcome; // guarded by the line

        Held(Line line, IOCallback answer, Due due) {
            this.line = line;
            this.answer = answer;
            this.due = due;
        }

        @Override
        public void done() {
            decided(answer::done);
        }

        @Override
        public void onError(int code, String text) {
            decided(() -> answer.onError(code, text));
        }

        private void decided(Runnable how) {
            synchronized (line) {
                outcome = how;
            }
            line.look();
        }
    }
}
