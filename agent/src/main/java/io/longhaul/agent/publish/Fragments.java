package io.longhaul.agent.publish;

import org.jspecify.annotations.Nullable;

/**
 * A source as a sequence of pieces by ascending index: the same source gives the same pieces.
 *
 * <p>Used by one thread. Failures of the source are {@link SourceException}s.
 */
interface Fragments extends AutoCloseable {

    /** What is known at the end. */
    record Totals(long length, String digest, long pieces, long entries) {}

    /** Cuts the next piece; returns null at the end. */
    @Nullable
    Fragment next() throws InterruptedException;

    /** Checks that the source is still what was read and sums up; after {@link #next} returned null. */
    Totals totals();

    @Override
    void close();
}
