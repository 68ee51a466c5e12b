package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * What a test is to be; big-endian, behind a record's header.
 *
 * <pre>
 *  0        4         5           6       7          8        16
 * +--------+---------+-----------+-------+----------+--------+
 * | "PERF" | version | direction | limit | reserved | amount |
 * +--------+---------+-----------+-------+----------+--------+
 * </pre>
 *
 * Later versions may append; what is appended is ignored.
 *
 * @param reverse whether the acceptor sends the test bytes and not the opener
 * @param limit what ends the test
 * @param amount how much of it: 1 byte to 1 PiB, or 1 ms to 24 h in nanoseconds
 */
public record PerfOrder(boolean reverse, Limit limit, long amount) {
    static final int BYTES = 16;
    private static final int MAGIC = 0x50455246;
    private static final int VERSION = 1;
    private static final int FORTH = 1;
    private static final int BACK = 2;

    /** What ends a test. */
    public enum Limit {
        /** A number of bytes. */
        BYTES(1, 1, 1L << 50, 1, "bytes"),
        /** A time, in nanoseconds. */
        NANOS(2, Duration.ofMillis(1).toNanos(), Duration.ofHours(24).toNanos(), 1_000_000, "ms");

        private final int code;
        private final long least;
        private final long most;
        private final long shown; // what one of the unit is
        private final String unit; // that people read

        Limit(int code, long least, long most, long shown, String unit) {
            this.code = code;
            this.least = least;
            this.most = most;
            this.shown = shown;
            this.unit = unit;
        }
    }

    /** Checks the amount; throws {@link IllegalArgumentException}. */
    public PerfOrder {
        if (amount < limit.least || amount > limit.most) {
            throw new IllegalArgumentException("a test of " + amount / limit.shown + " " + limit.unit + ", expected "
                    + limit.least / limit.shown + ".." + limit.most / limit.shown + " " + limit.unit);
        }
    }

    /** Returns the order of a test that ends after so many bytes. */
    public static PerfOrder ofBytes(long bytes, boolean reverse) {
        return new PerfOrder(reverse, Limit.BYTES, bytes);
    }

    /** Returns the order of a test that ends after a time. */
    public static PerfOrder ofTime(Duration time, boolean reverse) {
        return new PerfOrder(reverse, Limit.NANOS, time.toNanos());
    }

    /** Writes a record. */
    void write(ByteBuf out) {
        RecordType.ORDER.write(out, BYTES);
        out.writeInt(MAGIC)
                .writeByte(VERSION)
                .writeByte(reverse ? BACK : FORTH)
                .writeByte(limit.code)
                .writeByte(0)
                .writeLong(amount);
    }

    /** Reads a record's body, of at least {@value #BYTES} bytes; throws {@link PtcpException} PROTOCOL or VERSION. */
    static PerfOrder read(ByteBuf body) {
        int magic = body.readInt();
        if (magic != MAGIC) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "bytes that are no test: expected \"PERF\", found 0x" + Integer.toHexString(magic));
        }
        int version = body.readUnsignedByte();
        if (version != VERSION) {
            throw new PtcpException(
                    PtcpException.Code.VERSION, "a test of version " + version + ", expected " + VERSION);
        }
        int direction = body.readUnsignedByte();
        int limit = body.readUnsignedByte();
        body.skipBytes(1);
        if (direction != FORTH && direction != BACK || limit != Limit.BYTES.code && limit != Limit.NANOS.code) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a test of direction " + direction + " and limit " + limit + ", expected 1 or 2 for each");
        }
        try {
            return new PerfOrder(
                    direction == BACK, limit == Limit.BYTES.code ? Limit.BYTES : Limit.NANOS, body.readLong());
        } catch (IllegalArgumentException e) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, String.valueOf(e.getMessage()), e);
        }
    }
}
