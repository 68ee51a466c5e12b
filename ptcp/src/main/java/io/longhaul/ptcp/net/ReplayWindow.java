package io.longhaul.ptcp.net;

import java.util.BitSet;

/**
 * Remembers which numbers a session's channels have used, so that a greeting that was overheard cannot be used again.
 *
 * <p>As in RFC 4303 section 3.4.3: far below the greatest number seen everything counts as used. Thread-safe.
 */
final class ReplayWindow {
    private static final int SIZE = 1024;
    private final BitSet used = new BitSet(SIZE); // guarded by this
    private int greatest; // guarded by this

    /** Returns whether the number, above 0, is new, and notes it. */
    synchronized boolean take(int number) {
        if (number < 1 || number <= greatest - SIZE) {
            return false;
        }
        if (number > greatest) {
            if (number - greatest >= SIZE) {
                used.clear();
            } else {
                for (int i = greatest + 1; i < number; i++) {
                    used.clear(i % SIZE);
                }
            }
            greatest = number;
        } else if (used.get(number % SIZE)) {
            return false;
        }
        used.set(number % SIZE);
        return true;
    }
}
