package io.longhaul.gridftp.transfer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Uploads whose clients have sent all: those to one path are committed one after the other, in the order in which they came.
 *
 * <p>One that waits long for its turn is given up at the back, and begins there anew when its turn comes: what it has open at the
 * server may be what the first one waits for, a session or a name that one at a time writes.
 *
 * <p>Belongs to the thread of its {@link World}.
 */
final class CommitQueues {
    /** More than a file takes that has come whole, and so little that the first one has its turn before it is told that this lasts. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private final World world;
    private final Map<Place, Deque<Upload>> queues = new HashMap<>(); // without users

    CommitQueues(World world) {
        this.world = world;
    }

    private static Place place(Upload upload) {
        return Place.of(upload.note()).ofAll();
    }

    private Deque<Upload> queue(Upload upload) {
        return queues.computeIfAbsent(place(upload), place -> new ArrayDeque<>());
    }

    /** Commits it when it is its turn. */
    void add(Upload upload) {
        Deque<Upload> queue = queue(upload);
        queue.add(upload);
        if (queue.peek() == upload) {
            upload.commit();
        } else if (upload.isWholeFile()) {
            world.after(LONG, () -> {
                if (queue.contains(upload) && queue.peek() != upload) {
                    upload.abort();
                }
            });
        }
    }

    /** Puts another one in the place of the first one, whose caller commits it. */
    void replace(Upload first, Upload other) {
        Deque<Upload> queue = queue(first);
        queue.remove(first);
        queue.addFirst(other);
    }

    /** The first one is over; commits the next. */
    void remove(Upload first) {
        Deque<Upload> queue = queue(first);
        queue.remove(first);
        if (queue.isEmpty()) {
            queues.remove(place(first));
        } else {
            queue.element().commit();
        }
    }
}
