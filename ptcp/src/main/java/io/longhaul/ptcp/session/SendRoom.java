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
 * <p>Only while streams are few. Many fill a path without it, and when they begin, each with a buffer full of packets under
 * way at once, the queue of the path overflows: four with 4 MiB carried a sixth less at 1 Gbit/s and 100 ms.
 *
 * <p>A buffer grows with what it carries, but only when it is full: one that may still grow is left to the system.
 */
final class SendRoom {
    /** What segments cost beside their bytes, as a part of these. */
    private static final int OVERHEAD = 32;

    /** Given to the socket, and not yet to the network. */
    private static final long UNSENT_BYTES = 128 * 1024;

    /** A smaller one would have no room left when it is empty. */
    private static final long LEAST_BUFFER_BYTES = 8 * UNSENT_BYTES;

    /** Of more, the buffers are left to the system. */
    private static final int FEW_STREAMS = 3;

    private static final int LOW = 4;
    private static final int MOST_TEXT_BYTES = 256;
    private static final long GROWN_BYTES = grownBytes(Path.of("/proc/sys/net/ipv4/tcp_wmem"));

    private final long grownBytes;
    private long leftBytes = Long.MAX_VALUE;
    private long bufferBytes;

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
     * @param window bytes that the network would take now, by TCP's congestion window
     * @param underWay bytes that are sent and not acknowledged
     * @param streams of its session, this one among them
     */
    void look(long buffer, long window, long underWay, int streams) {
        bufferBytes = buffer;
        leftBytes = streams <= FEW_STREAMS && buffer >= grownBytes && window > buffer
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
