package io.longhaul.ptcp.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much a stream's socket is given while its send buffer, and not the network, is the limit; event loop only.
 *
 * <p>The system says of a full socket that it takes more only once a third of its buffer is free. On a long fat path the
 * buffer holds what is under way, so that up to a third of it would not be. Such a socket is never filled: what is
 * acknowledged is replaced at once, by whoever looks.
 *
 * <p>Only of sockets that TCP paces: others would send a buffer full of packets at once when they begin, and several of them
 * overflow the queue of the path.
 *
 * <p>A buffer grows with what it carries, but only when it is full: one that may still grow is left to the system.
 */
final class SendRoom {
    /** What segments cost beside their bytes, as a part of these. */
    private static final int OVERHEAD = 32;

    /** What is left free, as costs are not known to the byte. */
    private static final long SPARE_BYTES = 128 * 1024;

    /** A smaller one would have no room left when it is empty. */
    private static final long LEAST_BUFFER_BYTES = 8 * SPARE_BYTES;

    private static final int LOW = 4;
    private static final int MOST_TEXT_BYTES = 256;
    private static final long GROWN_BYTES = grownBytes(Path.of("/proc/sys/net/ipv4/tcp_wmem"));

    private final long grownBytes;
    private long leftBytes = Long.MAX_VALUE;
    private long bufferBytes;
    private boolean counted;

    SendRoom() {
        this(GROWN_BYTES);
    }

    /** Takes what a buffer has when it grows no more. */
    SendRoom(long grownBytes) {
        this.grownBytes = Math.max(grownBytes, LEAST_BUFFER_BYTES);
    }

    /** Returns the third number of such a file; more than any buffer has where there is none. */
    static long grownBytes(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            // in one read: the kernel says of further ones that its numbers have ended
            byte[] text = new byte[MOST_TEXT_BYTES];
            int length = Math.max(0, in.read(text));
            String numbers = new String(text, 0, length, StandardCharsets.US_ASCII);
            return Long.parseLong(numbers.strip().split("\\s+")[2]);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Takes what the system says of the socket.
     *
     * @param buffer bytes of its send buffer
     * @param window bytes that the network would take now, by TCP's congestion window; 0 when the socket is not paced
     * @param held bytes that were given to it and are not acknowledged
     */
    void look(long buffer, long window, long held) {
        bufferBytes = buffer;
        counted = buffer >= grownBytes && window > buffer;
        leftBytes = counted ? buffer - buffer / OVERHEAD - SPARE_BYTES - held - held / OVERHEAD : Long.MAX_VALUE;
    }

    /** Returns whether the buffer is the limit, so that this end counts what it gives. */
    boolean isCounted() {
        return counted;
    }

    void used(long bytes) {
        leftBytes -= bytes;
    }

    /** Returns how many bytes it takes before the system has it wait; not many beyond that are in its spare. */
    long left() {
        return leftBytes;
    }

    boolean isLeft() {
        return leftBytes > 0;
    }

    /** Returns whether it is worth to look again. */
    boolean isLow() {
        return leftBytes < bufferBytes / LOW;
    }
}
