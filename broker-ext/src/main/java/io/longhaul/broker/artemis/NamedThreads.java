package io.longhaul.broker.artemis;

import java.util.concurrent.ThreadFactory;

/** Makes daemon threads, all of one name. */
record NamedThreads(String name) implements ThreadFactory {
    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
