package io.longhaul.gridftp.server;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often in a row a server had another file than was sent to it: what never helps must not be tried for ever. Thread-safe. */
final class Misses {
    /** After as many it is no accident. */
    static final int MOST = 5;

    private static final int MOST_FILES = 1024;

    private final Map<String, Integer> times = new LinkedHashMap<>(); // by file, oldest first; guarded by this

    /** Counts one more; returns whether it is the last one that is to be borne. */
    synchronized boolean isLast(String file) {
        Integer before = times.remove(file);
        int now = before == null ? 1 : before + 1;
        if (now >= MOST) {
            return true;
        }
        times.put(file, now);
        if (times.size() > MOST_FILES) {
            times.remove(times.keySet().iterator().next());
        }
        return false;
    }

    /** It is well now. */
    synchronized void forget(String file) {
        times.remove(file);
    }
}
