package io.longhaul.broker.scrub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file of Artemis's journal, big-endian.
 *
 * <pre>
 * file:   version 4 | user version 4 | file id 8 | record ...      then zeros, or what an earlier use of the file left
 * record: type 1 | file id 4 | compactions 1 | [transaction 8] | [id 8] | [length 4] | [kind 1] | body | total length 4
 *
 * type                        transaction  id  length  kind
 * 10, 11, 12 event, add, update            x   x       x
 * 13, 14     the same, transactional   x   x   x       x
 * 15         delete, transactional     x   x   x
 * 16         delete                        x
 * 17, 18     prepare, commit           x       number of records 4 instead; prepare has a length more
 * 19         rollback                  x
 * </pre>
 *
 * Artemis looks for the next sound record when one is not, and says nothing; a hole between two sound records is
 * therefore the trace of a damaged one, and is named here. A sound record whose message is damaged would keep the server
 * from starting: its type is overwritten with 0, so that it becomes such a hole.
 */
final class JournalFile {
    private static final int HEADER_BYTES = 16;
    private static final int VERSION = 2;
    private static final int KIND_MESSAGE = 45;
    private static final int ADD = 11;
    private static final int ADD_TX = 13;
    private static final int PREPARE = 17;

    private JournalFile() {}

    /** Looks through a file, takes damaged messages out and returns one line for each damage. */
    static List<String> scrub(Path file) throws IOException {
        List<String> findings = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer in = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            if (in.limit() < HEADER_BYTES || in.getInt(0) != VERSION) {
                return findings;
            }
            int fileId = (int) in.getLong(8);
            int end = HEADER_BYTES;
            for (int at = next(in, end, fileId); at < in.limit(); at = next(in, end, fileId)) {
                if (!isPadding(in, end, at)) {
                    findings.add(file + ": bytes " + end + ".." + (at - 1) + ": expected a record, found none");
                }
                int length = length(in, at, fileId);
                String fault = message(in, at, length);
                if (!fault.isEmpty()) {
                    channel.write(ByteBuffer.wrap(new byte[1]), at);
                    findings.add(file + ": bytes " + at + ".." + (at + length - 1) + ": expected a message, found "
                            + fault + "; it was taken out");
                }
                end = at + length;
            }
            if (!findings.isEmpty()) {
                channel.force(false);
            }
        }
        return findings;
    }

    /** As {@link Scrub#end}. */
    static int end(ByteBuffer in) {
        if (in.limit() < HEADER_BYTES || in.getInt(0) != VERSION) {
            return in.limit();
        }
        int fileId = (int) in.getLong(8);
        int end = HEADER_BYTES;
        for (int at = next(in, end, fileId); at < in.limit(); at = next(in, end, fileId)) {
            if (!isPadding(in, end, at)) {
                return in.limit();
            }
            end = at + length(in, at, fileId);
        }
        return end;
    }

    /** Returns where the next sound record of this file begins, from a place on; the limit when there is none. */
    private static int next(ByteBuffer in, int from, int fileId) {
        int at = from;
        while (at < in.limit() && length(in, at, fileId) < 0) {
            at = candidate(in, at + 1, fileId);
        }
        return at;
    }

    /**
     * Returns the next place whose second to fifth byte are the file's id; the limit when there is none. Most of a broker's
     * files are what their earlier use left, so the search leaps (Horspool's): as far as the last byte under the id allows.
     */
    private static int candidate(ByteBuffer in, int from, int fileId) {
        byte[] leaps = new byte[256];
        Arrays.fill(leaps, (byte) Integer.BYTES);
        for (int i = 0; i < Integer.BYTES - 1; i++) {
            leaps[fileId >>> 24 - 8 * i & 0xFF] = (byte) (Integer.BYTES - 1 - i);
        }
        int last = from + Integer.BYTES;
        while (last < in.limit()) {
            byte found = in.get(last);
            if (found == (byte) fileId && in.getInt(last - Integer.BYTES + 1) == fileId) {
                return last - Integer.BYTES;
            }
            last += leaps[found & 0xFF];
        }
        return in.limit();
    }

    /** Returns the length of the record of this file that begins here, or -1 when none does. */
    private static int length(ByteBuffer in, int at, int fileId) {
        int type = in.get(at);
        if (type < 10 || type > 19 || in.limit() - at < 18 || in.getInt(at + 1) != fileId) {
            return -1;
        }
        int fixed = fixedBytes(type);
        long variable = 0;
        if (in.limit() - at < fixed) {
            return -1;
        }
        if (type <= 12) {
            variable = in.getInt(at + 14);
        } else if (type <= 15) {
            variable = in.getInt(at + 22);
        } else if (type == PREPARE) {
            variable = in.getInt(at + 18);
        }
        long total = fixed + variable;
        return variable >= 0 && at + total <= in.limit() && in.getInt((int) (at + total - 4)) == total
                ? (int) total
                : -1;
    }

    private static int fixedBytes(int type) {
        return switch (type) {
            case 10, 11, 12 -> 23;
            case 13, 14 -> 31;
            case 15 -> 30;
            case 16, 19 -> 18;
            case PREPARE -> 26;
            default -> 22;
        };
    }

    private static String message(ByteBuffer in, int at, int length) {
        int type = in.get(at);
        int kindAt = type == ADD ? at + 18 : at + 26;
        if (type != ADD && type != ADD_TX || in.get(kindAt) != KIND_MESSAGE) {
            return "";
        }
        ByteBuffer body = in.slice(kindAt + 1, at + length - 4 - kindAt - 1);
        String fault = StoredMessage.fault(body);
        return fault.isEmpty() && body.hasRemaining() ? body.remaining() + " bytes too many" : fault;
    }

    private static boolean isPadding(ByteBuffer in, int from, int to) {
        for (int i = from; i < to; i++) {
            if (in.get(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
