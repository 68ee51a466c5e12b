package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;

/**
 * One record of test bytes, written again and again without a copy; thread-safe.
 *
 * <p>The bytes are pseudo-random, so that nothing on the way gains by compressing them.
 */
final class TestBytes implements AutoCloseable {
    private static final int RECORD_BYTES = 1024 * 1024;
    private static final long SEED = 0x5EED;

    /** How many test bytes a whole record has. */
    static final int WHOLE = RECORD_BYTES - RecordType.HEADER_BYTES;

    private final ByteBuf record;

    TestBytes() {
        record = Unpooled.directBuffer(RECORD_BYTES, RECORD_BYTES);
        RecordType.TEST.write(record, WHOLE);
        byte[] bytes = new byte[WHOLE];
        new SplittableRandom(SEED).nextBytes(bytes);
        record.writeBytes(bytes);
    }

    /** Writes a record of 1 to {@link #WHOLE} test bytes. */
    void write(PtcpSession session, int count) {
        if (count == WHOLE) {
            session.write(record.retainedDuplicate());
            return;
        }
        ByteBuf header = Unpooled.directBuffer(RecordType.HEADER_BYTES);
        RecordType.TEST.write(header, count);
        session.write(header);
        session.write(record.retainedSlice(RecordType.HEADER_BYTES, count));
    }

    /** Frees the memory once no session sends it any more. */
    @Override
    public void close() {
        record.release();
    }
}
