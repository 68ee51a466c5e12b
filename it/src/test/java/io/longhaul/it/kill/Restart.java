package io.longhaul.it.kill;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Node;
import java.time.Duration;
import org.awaitility.core.ConditionTimeoutException;

/** A process started again, and when its work went on. */
final class Restart {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Child child;
    private final SignOfLife sign;
    private final boolean unfinished;

    private Restart(Child child, SignOfLife sign, boolean unfinished) {
        this.child = child;
        this.sign = sign;
        this.unfinished = unfinished;
    }

    /**
     * Starts the node again.
     *
     * @param unfinished whether there is work to go on with; otherwise being ready is all there is to see
     * @param sign that work goes on, looked for since before it was asked whether there is any
     */
    static Restart of(Node node, boolean unfinished, SignOfLife sign) {
        return new Restart(node.start(), sign, unfinished);
    }

    long atNanos() {
        return child.startedNanos();
    }

    /** Returns how long it took until work went on. */
    Duration awaitSignOfLife() {
        try {
            await().pollInterval(Duration.ofMillis(20)).atMost(PATIENCE).until(this::isAtWork);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(child.label() + ": nothing goes on after the restart\n" + child.story(), e);
        }
        return Duration.ofNanos(System.nanoTime() - child.startedNanos());
    }

    private boolean isAtWork() {
        return sign.isThere() || !unfinished && !child.events("ready").isEmpty();
    }
}
