package io.longhaul.agent.publish;

import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Has publications of one topic and name announced in the order in which they were published: the later one is to win, and
 * the network knows them by their announcements only.
 *
 * <p>One that the topic could not take when it was asked last may be passed: it may wait for a subscription that never comes.
 * May be used from any thread.
 */
final class Precedence {
    /** By topic and name, and there by key, which is in the order of publishing; guarded by this. */
    private final Map<String, TreeMap<Long, Place>> places = new HashMap<>();

    private long moment; // guarded by this: counts up
    private boolean closed; // guarded by this

    private static final class Place {
        /** The moment of the last objection to it; 0 for none. */
        long objection;

        /** The moment when it first could have gone but for others; 0 before. */
        long readySince;

        @Nullable
        Runnable comeBack;
    }

    /** Takes one in that is to be announced. */
    synchronized void add(Outgoing outgoing) {
        boolean sending = outgoing.record().row().state() == TransferState.SENDING;
        if (sending && !outgoing.record().detail().announced()) {
            places.computeIfAbsent(nameOf(outgoing), name -> new TreeMap<>()).put(keyOf(outgoing), new Place());
        }
    }

    /**
     * Whether it may be announced now.
     *
     * @param comeBack called when to ask again, if not; must return at once
     */
    synchronized boolean goes(Outgoing outgoing, Runnable comeBack) {
        TreeMap<Long, Place> namesakes = namesakes(outgoing);
        Place place = namesakes.get(keyOf(outgoing));
        if (place == null) {
            return true;
        }
        if (place.readySince == 0) {
            place.readySince = ++moment;
        }
        boolean goes = !closed
                && namesakes.headMap(keyOf(outgoing)).values().stream()
                        .allMatch(earlier -> earlier.objection > place.readySince);
        place.comeBack = goes ? null : comeBack;
        return goes;
    }

    /** Lets none of those go that have a place: an earlier one that the end interrupts is announced after the next start. */
    synchronized void close() {
        closed = true;
    }

    /** Its topic cannot take it now: those that it held up may pass. */
    void cannotGo(Outgoing outgoing) {
        List<Runnable> due = List.of();
        synchronized (this) {
            TreeMap<Long, Place> namesakes = namesakes(outgoing);
            Place place = namesakes.get(keyOf(outgoing));
            if (place != null) {
                place.objection = ++moment;
                due = due(namesakes);
            }
        }
        due.forEach(Runnable::run);
    }

    /** It was announced, is over, or neither waits any more nor has others wait. */
    void remove(Outgoing outgoing) {
        List<Runnable> due;
        synchronized (this) {
            TreeMap<Long, Place> namesakes = namesakes(outgoing);
            Place gone = namesakes.remove(keyOf(outgoing));
            if (gone == null) {
                return;
            }
            due = due(namesakes);
            if (gone.comeBack != null) {
                due.add(0, gone.comeBack);
            }
            if (namesakes.isEmpty()) {
                places.remove(nameOf(outgoing));
            }
        }
        due.forEach(Runnable::run);
    }

    private TreeMap<Long, Place> namesakes(Outgoing outgoing) {
        return places.getOrDefault(nameOf(outgoing), new TreeMap<>());
    }

    /** Those that may go; all others would ask in vain, and their topic once more. */
    private static List<Runnable> due(TreeMap<Long, Place> namesakes) {
        List<Runnable> due = new ArrayList<>();
        long objection = Long.MAX_VALUE; // the oldest of those to all before
        for (Place place : namesakes.values()) {
            Runnable comeBack = place.comeBack;
            if (comeBack != null && objection > place.readySince) {
                due.add(comeBack);
                place.comeBack = null;
            }
            objection = Math.min(objection, place.objection);
        }
        return due;
    }

    /** Returns what publications have in common of which the later is to win. */
    static String nameOf(Outgoing outgoing) {
        TransferRow row = outgoing.record().row();
        return row.topic() + '\0' + row.name();
    }

    private static long keyOf(Outgoing outgoing) {
        return outgoing.record().row().key();
    }
}
