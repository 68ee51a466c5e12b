package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSnapshot;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * What one end saw of a test; big-endian, behind a record's header.
 *
 * <pre>
 *  0       8       16    24             32             36      40
 * +-------+-------+-----+--------------+--------------+-------+-----------------------------------------+
 * | bytes | nanos | cpu | resent bytes | streams lost | count | count x (number 4, sent 8, received 8)  |
 * +-------+-------+-----+--------------+--------------+-------+-----------------------------------------+
 * </pre>
 *
 * Later versions may append; what is appended is ignored.
 *
 * @param bytes test bytes that it received in time, or that it sent
 * @param nanos from the order's arrival to the last of those bytes, or to the end of sending
 * @param cpuNanos CPU time of its process during the test
 * @param resentBytes what it sent again
 * @param streamsLost how many streams died
 * @param streams the streams that are left, at most {@value #MOST_STREAMS} of them
 */
record PerfReport(
        long bytes, long nanos, long cpuNanos, long resentBytes, int streamsLost, List<PtcpSnapshot.Stream> streams) {
    static final int LEAST_BYTES = 40;
    static final int MOST_STREAMS = 256;
    private static final int STREAM_BYTES = 20;
    static final int MOST_BYTES = LEAST_BYTES + MOST_STREAMS * STREAM_BYTES;

    PerfReport {
        streams = List.copyOf(streams.subList(0, Math.min(streams.size(), MOST_STREAMS)));
    }

    /** Returns the same with a session's counters. */
    PerfReport with(PtcpSnapshot snapshot) {
        return new PerfReport(
                bytes, nanos, cpuNanos, snapshot.resentBytes(), (int) snapshot.streamsLost(), snapshot.streams());
    }

    /** Returns how long the record is, with its header. */
    int recordBytes() {
        return RecordType.HEADER_BYTES + LEAST_BYTES + streams.size() * STREAM_BYTES;
    }

    /** Writes a record. */
    void write(ByteBuf out) {
        RecordType.REPORT.write(out, recordBytes() - RecordType.HEADER_BYTES);
        out.writeLong(bytes).writeLong(nanos).writeLong(cpuNanos).writeLong(resentBytes);
        out.writeInt(streamsLost).writeInt(streams.size());
        for (PtcpSnapshot.Stream stream : streams) {
            out.writeInt(stream.number()).writeLong(stream.sentBytes()).writeLong(stream.receivedBytes());
        }
    }

    /** Reads a record's body, of at least {@value #LEAST_BYTES} bytes; throws {@link PtcpException} PROTOCOL. */
    static PerfReport read(ByteBuf body) {
        long bytes = positive(body.readLong());
        long nanos = positive(body.readLong());
        long cpu = positive(body.readLong());
        long resent = positive(body.readLong());
        int lost = (int) positive(body.readInt());
        int count = body.readInt();
        if (count < 0 || count > MOST_STREAMS || body.readableBytes() < count * STREAM_BYTES) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a report of " + count + " streams in " + body.readableBytes() + " bytes");
        }
        List<PtcpSnapshot.Stream> streams = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            streams.add(new PtcpSnapshot.Stream(body.readInt(), positive(body.readLong()), positive(body.readLong())));
        }
        return new PerfReport(bytes, nanos, cpu, resent, lost, streams);
    }

    private static long positive(long value) {
        if (value < 0) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, "a report with the negative number " + value);
        }
        return value;
    }
}
