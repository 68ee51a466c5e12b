package io.longhaul.broker.artemis;

import java.util.concurrent.Executor;
import org.apache.activemq.artemis.core.server.ActivateCallback;

/**
 * Serves from the moment on in which a server begins to live, until it is stopped. Artemis stops a backup that has lost its
 * primary and does not take its place, and starts it again: what it is to serve with later must not end with that.
 */
final class PairLife implements ActivateCallback {
    private final Executor thread;
    private final Runnable prepare;
    private final Runnable begin;
    private final Runnable end;
    private volatile boolean begun;

    /**
     * Takes where serving begins, which must not hold up the server.
     *
     * @param prepare what is done before anybody can connect; when it throws, nobody ever can
     */
    PairLife(Executor thread, Runnable prepare, Runnable begin, Runnable end) {
        this.thread = thread;
        this.prepare = prepare;
        this.begin = begin;
        this.end = end;
    }

    /** What was kept is loaded, and no acceptor listens yet. */
    @Override
    public void activated() {
        prepare.run();
    }

    /** Acceptors listen by now. */
    @Override
    public void activationComplete() {
        thread.execute(() -> {
            begun = true;
            begin.run();
        });
    }

    @Override
    public void preDeActivate() {
        if (begun) {
            end.run();
        }
    }
}
