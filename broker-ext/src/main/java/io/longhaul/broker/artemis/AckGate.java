package io.longhaul.broker.artemis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds answers back while it is open whether the backup lives.
 *
 * <h2>Design</h2>
 * When the backup is lost, Artemis completes all operations that wait for it at once, and only then moves the term on by
 * which the backup becomes stale. In between, acknowledgements would go out for what only this broker has, while the backup
 * may be taking over without it. So an answer passes only if the backup has confirmed it, which is so while its mirror is
 * whole, or if this broker lives alone by right. Answers that may not pass wait, in order, until one of the two is decided:
 * {@link #alone}, or the end of this broker's life.
 *
 * @param <M> what stands for a connection to a backup
 */
final class AckGate<M> {
    private static final Logger LOG = LoggerFactory.getLogger(AckGate.class);
    private final Predicate<M> whole;
    private final Deque<Runnable> withheld = new ArrayDeque<>(); // guarded by this
    private @Nullable M mirror; // guarded by this; whose backup might take over
    private boolean releasing; // guarded by this

    /** Takes what says whether a mirror is whole: once it is not it never is again, and it is not before tokens clear. */
    AckGate(Predicate<M> whole) {
        this.whole = whole;
    }

    /** From now on there is a backup that may know as much as this broker. */
    synchronized void mirrored(M by) {
        mirror = by;
    }

    synchronized boolean isMirrored() {
        return mirror != null;
    }

    /** Gives an answer, now or later or never. */
    void pass(Runnable answer) {
        synchronized (this) {
            M now = mirror;
            if (releasing || !withheld.isEmpty() || now != null && !whole.test(now)) {
                withheld.add(answer);
                return;
            }
        }
        answer.run();
    }

    /** The backup is stale by now: gives the answers that were held back. */
    void alone() {
        synchronized (this) {
            mirror = null;
            if (releasing) {
                return;
            }
            releasing = true;
        }
        boolean more = true;
        while (more) {
            Runnable next;
            synchronized (this) {
                next = withheld.poll();
                more = next != null;
                releasing = more;
            }
            if (next != null) {
                give(next);
            }
        }
    }

    /** The failure of one must not keep the others, and all later ones, from being given. */
    private static void give(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("an answer that was held back cannot be given: {}", e.toString());
        }
    }

    synchronized int withheld() {
        return withheld.size();
    }
}
