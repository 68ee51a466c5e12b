package io.longhaul.gridftp.topic;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Does so many things at a time on the threads of another executor; the others wait, and none of them has a thread. Thread-safe. */
final class AtMost implements Executor {
    private final int most;
    private final Executor executor;
    private final Deque<Runnable> waiting = new ArrayDeque<>(); // guarded by this
    private int running; // guarded by this

    AtMost(int most, Executor executor) {
        this.most = most;
        this.executor = executor;
    }

    @Override
    public void execute(Runnable command) {
        synchronized (this) {
            if (running >= most) {
                waiting.add(command);
                return;
            }
            // throws when there are no threads any more: before anything is said to run
            executor.execute(() -> run(command));
            running++;
        }
    }

    private void run(Runnable command) {
        try {
            command.run();
        } finally {
            next();
        }
    }

    private synchronized void next() {
        running--;
        Runnable next = waiting.poll();
        if (next != null) {
            execute(next);
        }
    }
}
