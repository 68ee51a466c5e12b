package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a test, however the bytes are cut; big-endian.
 *
 * <pre>
 *  0      1                4
 * +------+----------------+------
 * | type | length of body | body
 * +------+----------------+------
 *
 * opener   -&gt; ORDER, TEST ..., REPORT        in reverse: ORDER, REPORT
 * acceptor -&gt; REPORT                         in reverse: ORDER, TEST ..., REPORT
 * </pre>
 *
 * Each end reports once: the sender behind its last test bytes, the receiver when it has counted them, or when the
 * order's time is over. Test bytes are skipped as they come; nothing longer than a report is ever kept.
 */
final class RecordDecoder {
    private final Records records;
    private final ByteBuf gathered = Unpooled.buffer(RecordType.HEADER_BYTES, PerfReport.MOST_BYTES);
    private @Nullable RecordType type; // of the body that is gathered; null for a header
    private int wanted = RecordType.HEADER_BYTES;
    private int testBytes;

    /** Is given what was read; may throw {@link PtcpException}. */
    interface Records {
        void order(PerfOrder order);

        void testBytes(int count);

        void report(PerfReport report);
    }

    RecordDecoder(Records records) {
        this.records = records;
    }

    /** Reads all that is there; throws {@link PtcpException} PROTOCOL or VERSION, after which nothing more is to come. */
    void decode(ByteBuf in) {
        while (in.isReadable()) {
            if (testBytes > 0) {
                int count = Math.min(testBytes, in.readableBytes());
                in.skipBytes(count);
                testBytes -= count;
                records.testBytes(count);
            } else {
                gather(in);
            }
        }
    }

    private void gather(ByteBuf in) {
        gathered.writeBytes(in, Math.min(wanted - gathered.readableBytes(), in.readableBytes()));
        if (gathered.readableBytes() < wanted) {
            return;
        }
        if (type == null) {
            begin(gathered.readInt());
        } else {
            end(type);
        }
        gathered.clear();
    }

    private void begin(int header) {
        RecordType found = RecordType.of(header);
        if (found == RecordType.TEST) {
            testBytes = RecordType.length(header);
        } else {
            type = found;
            wanted = RecordType.length(header);
        }
    }

    private void end(RecordType found) {
        type = null;
        wanted = RecordType.HEADER_BYTES;
        switch (found) {
            case ORDER -> records.order(PerfOrder.read(gathered));
            case REPORT -> records.report(PerfReport.read(gathered));
            case TEST -> throw new IllegalStateException("test bytes are never gathered");
        }
    }
}
