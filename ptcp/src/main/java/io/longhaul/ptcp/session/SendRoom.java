package io.longhaul.ptcp.session;

/**
 * How much a stream's socket is given while its send buffer, and not the network, is the limit; event loop only.
 *
 * <p>The system says of a full socket that it takes more only once a third of its buffer is free. On a long fat path the
 * buffer holds what is under way, so that up to a third of it would not be. Such a socket is never filled: what is
 * acknowledged is replaced at once, by whoever looks.
 */
final class SendRoom {
    /** What segments cost beside their bytes, as a part of these. */
    private static final int OVERHEAD = 32;

    /** Given to the socket, and not yet to the network. */
    private static final long UNSENT_BYTES = 128 * 1024;

    private static final int LOW = 4;

    private long leftBytes = Long.MAX_VALUE;
    private long bufferBytes;

    /**
     * Takes what the system says of the socket.
     *
     * @param buffer bytes of its send buffer
     * @param window bytes that the network would take now, by TCP's congestion window
     * @param underWay bytes that are sent and not acknowledged
     */
    void look(long buffer, long window, long underWay) {
        bufferBytes = buffer;
        // a buffer that is greater than the window may still grow with it, which it does only when it is full
        leftBytes = window > buffer
                ? buffer - buffer / OVERHEAD - UNSENT_BYTES - underWay - underWay / OVERHEAD
                : Long.MAX_VALUE;
    }

    void used(long bytes) {
        leftBytes -= bytes;
    }

    boolean isLeft() {
        return leftBytes > 0;
    }

    /** Returns whether it is worth to look again. */
    boolean isLow() {
        return leftBytes < bufferBytes / LOW;
    }
}
