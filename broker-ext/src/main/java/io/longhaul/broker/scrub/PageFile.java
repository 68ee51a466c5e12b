package io.longhaul.broker.scrub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of paged messages, big-endian.
 *
 * <pre>
 * '{' | size 4 | transaction 8 | large 1 | message | queues 4 | queue 8, each | '}'      size: without braces and itself
 * </pre>
 *
 * The place of a message in its file is its identity: acknowledgements name it. So a damaged one is not cut out but
 * overwritten with one of the same length that is for no queue. The last record may be cut short by a crash, which is no
 * damage: it was never acknowledged.
 */
final class PageFile {
    private static final byte OPEN = '{';
    private static final byte CLOSE = '}';
    private static final int FRAME_BYTES = 6;
    private static final int MAX_QUEUES = 100_000;
    private static final int LEAST_BYTES = 8 + 1 + StoredMessage.LEAST_BYTES + 4;

    private PageFile() {}

    /** Looks through a file, overwrites damaged messages and returns one line for each. */
    static List<String> scrub(Path file) throws IOException {
        List<String> findings = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer in = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            int at = 0;
            while (in.limit() - at >= FRAME_BYTES) {
                int next = end(in, at);
                String fault = next < 0 ? "no record" : record(in.slice(at + 5, next - at - FRAME_BYTES));
                if (!fault.isEmpty()) {
                    next = next < 0 ? resume(in, at + 1) : next;
                    if (next < 0) {
                        return findings;
                    }
                    findings.add(file + ": bytes " + at + ".." + (next - 1) + ": expected a message, found "
                            + overwrite(channel, at, next - at, fault));
                }
                at = next;
            }
            if (!findings.isEmpty()) {
                channel.force(false);
            }
        }
        return findings;
    }

    /** Returns where the record that begins here ends, or -1 when none does. */
    private static int end(ByteBuffer in, int at) {
        if (in.limit() - at < FRAME_BYTES || in.get(at) != OPEN) {
            return -1;
        }
        int size = in.getInt(at + 1);
        long end = (long) at + FRAME_BYTES + size;
        return size >= LEAST_BYTES && end <= in.limit() && in.get((int) end - 1) == CLOSE ? (int) end : -1;
    }

    private static String record(ByteBuffer in) {
        in.getLong();
        if (in.get() != 0) {
            return "a large message";
        }
        String fault = StoredMessage.fault(in);
        if (!fault.isEmpty()) {
            return fault;
        }
        int queues = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        return queues >= 0 && queues <= MAX_QUEUES && in.remaining() == queues * Long.BYTES
                ? ""
                : "queues that do not fit";
    }

    /** Returns where the next sound record begins, or -1 when none does. */
    private static int resume(ByteBuffer in, int from) {
        for (int at = from; in.limit() - at >= FRAME_BYTES; at++) {
            if (in.get(at) == OPEN) {
                int end = end(in, at);
                if (end > 0 && record(in.slice(at + 5, end - at - FRAME_BYTES)).isEmpty()) {
                    return at;
                }
            }
        }
        return -1;
    }

    private static String overwrite(FileChannel channel, int at, int length, String fault) throws IOException {
        int message = length - FRAME_BYTES - 8 - 1 - 4;
        if (message < StoredMessage.LEAST_BYTES) {
            return fault + "; it stays as it is";
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        out.put(OPEN).putInt(length - FRAME_BYTES).putLong(-1).put((byte) 0);
        StoredMessage.filler(out, message);
        out.putInt(0).put(CLOSE).flip();
        while (out.hasRemaining()) {
            channel.write(out, at + out.position());
        }
        return fault + "; it was taken out";
    }
}
