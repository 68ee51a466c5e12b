package io.longhaul.gridftp.transfer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Does things in the order in which they come, one after the other, on the threads of another executor. Thread-safe. */
final class OneAtATime implements Executor {
    private final Executor executor;
    private final Deque<Runnable> waiting = new ArrayDeque<>(); // guarded by this
    private boolean running; // guarded by this

    OneAtATime(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable command) {
        synchronized (this) {
            if (running) {
                waiting.add(command);
                return;
            }
            // throws when there are no threads any more: before anything is said to run
            executor.execute(() -> run(command));
            running = true;
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
        Runnable next = waiting.poll();
        if (next == null) {
            running = false;
        } else {
            executor.execute(() -> run(next));
        }
    }
}
