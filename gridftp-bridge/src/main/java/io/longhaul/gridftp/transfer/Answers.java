package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;

/**
 * How often a server that is there has said of a file that it cannot have it now, or give it, as one whose data connections come to
 * nothing does for ever. What passes by itself has passed before it has said so eight times, which takes a minute and a half at
 * least. One that is away says nothing, and is waited for as long as it takes.
 */
final class Answers {
    private static final int MOST = 8;

    private long reached = -1;
    private int count;

    /** Returns whether it has said nothing of the kind lately. */
    boolean isNone() {
        return count == 0;
    }

    /**
     * Returns the failure, or what it is when it will not pass.
     *
     * @param bytes that have come where they were to go
     */
    BackendException heard(BackendException failure, long bytes) {
        boolean isAnswer = failure.code() == Code.UNAVAILABLE && !failure.isAway();
        if (!isAnswer || bytes > reached) {
            reached = Math.max(reached, bytes);
            count = 0;
        }
        count += isAnswer ? 1 : 0;
        return count < MOST
                ? failure
                : new BackendException(
                        Code.LASTING, failure.getMessage() + " (" + count + " times, one after the other)", failure);
    }
}
