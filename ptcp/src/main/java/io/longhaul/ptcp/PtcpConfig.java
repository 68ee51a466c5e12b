package io.longhaul.ptcp;

import java.time.Duration;

/**
 * How a session behaves; both ends have one, and what concerns both is agreed on: the smaller value holds.
 *
 * @param streams number of data channels, 1 to {@code maxStreams}; {@link #AUTO}, the default, finds it while data flows.
 *     Only the opener's counts
 * @param maxStreams most data channels of a session, 1 to {@value #MOST_STREAMS}, default 32
 * @param packetBytes most payload of a packet, 1 KiB to 1 MiB and no more than the window, default 512 KiB
 * @param windowBytes most bytes that this end keeps for its reader and that it sends without an answer, 256 KiB to
 *     1 GiB, default 128 MiB. All sessions of a process together keep no more than half of the memory that Netty may use, and
 *     {@link #firstWindowBytes} each
 * @param socketBufferBytes send and receive buffer of each socket; 0, the default, leaves them to the system
 * @param connectTimeout for each TCP connection with its greeting, and for a first one with finding where it goes; default 5 s
 * @param stallLimit how long a stream may hold up all others before it is given up, default 5 s
 * @param restoreLimit how long a session lives without its control channel or without any stream, and, beyond the stall limit, with
 *     an end that is heard and acknowledges nothing; default 10 s
 * @param keepAlive how long a channel may be silent before it is asked for a sign of life; it is given up after three
 *     times as long; default 5 s
 */
public record PtcpConfig(
        int streams,
        int maxStreams,
        int packetBytes,
        long windowBytes,
        int socketBufferBytes,
        Duration connectTimeout,
        Duration stallLimit,
        Duration restoreLimit,
        Duration keepAlive) {
    /** The number of streams is found while data flows. */
    public static final int AUTO = 0;

    /** Bound of {@code maxStreams}. */
    public static final int MOST_STREAMS = 64;

    /** Bound of {@code packetBytes}; who asks for less asks the other end for a crowd of packets. */
    public static final int LEAST_PACKET_BYTES = 1024;

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    /** Bound of {@code packetBytes}, beside the window. */
    public static final int MOST_PACKET_BYTES = MIB;

    /** Bound of {@code windowBytes}. */
    public static final long LEAST_WINDOW_BYTES = 256L * KIB;

    /** Bound of {@code windowBytes}. */
    public static final long MOST_WINDOW_BYTES = 1024L * MIB;

    /** Bound of {@code socketBufferBytes}. */
    public static final int MOST_SOCKET_BUFFER_BYTES = 1024 * MIB;

    /** Checks every value; throws {@link IllegalArgumentException} that names value and range. */
    public PtcpConfig {
        check("maxStreams", maxStreams, 1, MOST_STREAMS);
        check("streams", streams, AUTO, maxStreams);
        check("windowBytes", windowBytes, LEAST_WINDOW_BYTES, MOST_WINDOW_BYTES);
        check("packetBytes", packetBytes, LEAST_PACKET_BYTES, Math.min(MOST_PACKET_BYTES, windowBytes));
        check("socketBufferBytes", socketBufferBytes, 0, MOST_SOCKET_BUFFER_BYTES);
        check("connectTimeout in ms", connectTimeout.toMillis(), 1, 600_000);
        check("stallLimit in ms", stallLimit.toMillis(), 1, 600_000);
        check("restoreLimit in ms", restoreLimit.toMillis(), 1, 600_000);
        check("keepAlive in ms", keepAlive.toMillis(), 1, 600_000);
    }

    /** Returns how much the other end may send before any of it was taken: a packet at least. */
    public long firstWindowBytes() {
        return Math.min(windowBytes, MIB);
    }

    private static void check(String what, long found, long least, long most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + ": expected " + least + ".." + most + ", found " + found);
        }
    }

    /** Returns the defaults. */
    public static PtcpConfig defaults() {
        return new PtcpConfig(
                AUTO,
                32,
                512 * KIB,
                128L * MIB,
                0,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }

    /** Returns the same with a fixed number of streams, up to which their bound is raised, or {@link #AUTO}. */
    public PtcpConfig withStreams(int value) {
        return new PtcpConfig(
                value,
                Math.max(maxStreams, value),
                packetBytes,
                windowBytes,
                socketBufferBytes,
                connectTimeout,
                stallLimit,
                restoreLimit,
                keepAlive);
    }

    /** Returns the same with another bound on the number of streams; a fixed number above it becomes the bound. */
    public PtcpConfig withMaxStreams(int value) {
        return new PtcpConfig(
                Math.min(streams, value),
                value,
                packetBytes,
                windowBytes,
                socketBufferBytes,
                connectTimeout,
                stallLimit,
                restoreLimit,
                keepAlive);
    }

    /** Returns the same with another packet size and window. */
    public PtcpConfig withSizes(int packet, long window) {
        return new PtcpConfig(
                streams,
                maxStreams,
                packet,
                window,
                socketBufferBytes,
                connectTimeout,
                stallLimit,
                restoreLimit,
                keepAlive);
    }

    /** Returns the same with other socket buffers; 0 leaves them to the system. */
    public PtcpConfig withSocketBuffer(int value) {
        return new PtcpConfig(
                streams,
                maxStreams,
                packetBytes,
                windowBytes,
                value,
                connectTimeout,
                stallLimit,
                restoreLimit,
                keepAlive);
    }

    /** Returns the same with other limits in time. */
    public PtcpConfig withLimits(Duration connect, Duration stall, Duration restore, Duration alive) {
        return new PtcpConfig(
                streams, maxStreams, packetBytes, windowBytes, socketBufferBytes, connect, stall, restore, alive);
    }
}
