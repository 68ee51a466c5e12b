package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;

/** What a record is, and how long it may be. */
enum RecordType {
    /** What the test is to be; from the opener, and in a reverse test repeated by the acceptor. */
    ORDER(1, PerfOrder.BYTES, 256),
    /** Test bytes, which are counted and thrown away. */
    TEST(2, 1, 0xFFFFFF),
    /** What an end saw; the sender's ends the test bytes. */
    REPORT(3, PerfReport.LEAST_BYTES, PerfReport.MOST_BYTES);

    /** Length of a record's header. */
    static final int HEADER_BYTES = 4;

    private static final int LENGTH_BITS = 24;
    private final int code;
    private final int leastBytes;
    private final int mostBytes;

    RecordType(int code, int leastBytes, int mostBytes) {
        this.code = code;
        this.leastBytes = leastBytes;
        this.mostBytes = mostBytes;
    }

    /** Writes the header of a record. */
    void write(ByteBuf out, int bodyBytes) {
        out.writeInt(code << LENGTH_BITS | bodyBytes);
    }

    /** Returns the type that a header names; throws {@link PtcpException} PROTOCOL, also when the length is not its. */
    static RecordType of(int header) {
        RecordType type = ofCode(header >>> LENGTH_BITS);
        int length = length(header);
        if (length < type.leastBytes || length > type.mostBytes) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a record " + type + " of " + length + " bytes, expected " + type.leastBytes + ".."
                            + type.mostBytes);
        }
        return type;
    }

    private static RecordType ofCode(int code) {
        return switch (code) {
            case 1 -> ORDER;
            case 2 -> TEST;
            case 3 -> REPORT;
            default ->
                throw new PtcpException(
                        PtcpException.Code.PROTOCOL,
                        "bytes that are no test: expected a record of type 1 to 3, found " + code);
        };
    }

    /** Returns the length of the body that a header announces. */
    static int length(int header) {
        return header & (1 << LENGTH_BITS) - 1;
    }
}
