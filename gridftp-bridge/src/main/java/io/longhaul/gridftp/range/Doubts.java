package io.longhaul.gridftp.range;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which files somebody may take for those that they were sending, although a write over them was given up: the latest 4096.
 * Thread-safe.
 *
 * @param <F> what names a file
 * @param <V> what tells a file from the one that had its name before
 */
public final class Doubts<F, V> {
    private static final int MOST = 4096;

    private final Map<F, Doubt<V>> doubts = new LinkedHashMap<>(); // oldest first; guarded by this

    private record Doubt<V>(V version, long granted) {}

    /**
     * A write over this version was given up.
     *
     * @param granted how many of its first bytes are the sender's all the same
     */
    public synchronized void add(F file, V version, long granted) {
        Doubt<V> before = doubts.remove(file);
        long least = before != null && before.version.equals(version) ? Math.min(before.granted, granted) : granted;
        doubts.put(file, new Doubt<>(version, least));
        if (doubts.size() > MOST) {
            doubts.remove(doubts.keySet().iterator().next());
        }
    }

    /** Returns whether somebody may mean other bytes than this version's who takes those before {@code end} for granted. */
    public synchronized boolean concern(F file, V version, long end) {
        Doubt<V> doubt = doubts.get(file);
        return doubt != null && doubt.version.equals(version) && end > doubt.granted;
    }
}
