package io.longhaul.agent.publish;

/**
 * How far the spool is filled: what the filling run tells the sending one.
 *
 * <p>May be used from any thread.
 */
final class SpoolTide {
    private long pieces; // guarded by this
    private boolean full; // guarded by this

    /** Pieces below the index are durable in the spool; it never falls. */
    synchronized void rise(long newPieces) {
        pieces = Math.max(pieces, newPieces);
    }

    /** There are no more pieces than these. */
    synchronized void full(long allPieces) {
        pieces = allPieces;
        full = true;
    }

    synchronized long pieces() {
        return pieces;
    }

    synchronized boolean isFull() {
        return full;
    }
}
