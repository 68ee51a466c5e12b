package io.longhaul.broker.scrub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
    static final byte KIND_MESSAGE = 45;
    private static final int ADD = 11;
    private static final int ADD_TX = 13;
    private static final int PREPARE = 17;

    private JournalFile() {}

    /** Returns how a file's length is not the one that all files of its journal have; empty where it is. */
    static Optional<String> wrongLength(Path file, long expected) throws IOException {
        long found = Files.size(file);
        return found == expected
                ? Optional.empty()
                : Optional.of(file + ": expected " + expected + " bytes, found " + found);
    }

    /** Looks through a file, takes damaged messages out and returns one line for each damage. */
    static List<String> scrub(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            List<String> findings = damages(file, map(channel), at -> channel.write(ByteBuffer.wrap(new byte[1]), at));
            if (!findings.isEmpty()) {
                channel.force(false);
            }
            return findings;
        }
    }

    /** Returns one line for each damage of a file, and leaves it as it is. */
    static List<String> damages(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return damages(file, map(channel), at -> {});
        }
    }

    /** Takes the record out that begins at a place. */
    private interface Removal {
        void at(int place) throws IOException;
    }

    private static List<String> damages(Path file, ByteBuffer in, Removal removal) throws IOException {
        List<String> findings = new ArrayList<>();
        if (!hasHeader(in)) {
            findings.add(file + ": bytes 0.." + (HEADER_BYTES - 1) + ": expected a journal's header, found none");
            return findings;
        }
        Records records = new Records(in);
        while (records.next()) {
            if (records.isBehindDamage()) {
                findings.add(file + ": bytes " + records.before + ".." + (records.at - 1)
                        + ": expected a record, found none");
            }
            String fault = message(in, records.at, records.end);
            if (!fault.isEmpty()) {
                removal.at(records.at);
                findings.add(file + ": bytes " + records.at + ".." + (records.end - 1) + ": expected a message, found "
                        + fault + "; it was taken out");
            }
        }
        return findings;
    }

    /** Returns whether a file has a record that adds something of a kind. */
    static boolean adds(Path file, byte kind) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer in = map(channel);
            if (!hasHeader(in)) {
                return false;
            }
            Records records = new Records(in);
            while (records.next()) {
                if (adds(in, records.at, kind)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static ByteBuffer map(FileChannel channel) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }

    private static boolean hasHeader(ByteBuffer in) {
        return in.limit() >= HEADER_BYTES && in.getInt(0) == VERSION;
    }

    /** As {@link Scrub#end}. */
    static int end(ByteBuffer in) {
        if (!hasHeader(in)) {
            return in.limit();
        }
        Records records = new Records(in);
        while (records.next()) {
            if (records.isBehindDamage()) {
                return in.limit();
            }
        }
        return records.end;
    }

    /** The sound records of a file's present use, one after another. */
    private static final class Records {
        private final ByteBuffer in;
        private final int fileId;
        private int before; // where the record before this one ends
        private int at;
        private int end = HEADER_BYTES;

        /** Takes a file that has a header, and stays before its first record. */
        Records(ByteBuffer in) {
            this.in = in;
            this.fileId = (int) in.getLong(8);
        }

        /** Goes to the next record; where there is none, the end stays that of the last one. */
        boolean next() {
            before = end;
            at = JournalFile.next(in, before, fileId);
            if (at == in.limit()) {
                return false;
            }
            end = at + length(in, at, fileId);
            return true;
        }

        /** Returns whether a damaged record lies between this one and the one before. */
        boolean isBehindDamage() {
            return !isPadding(in, before, at);
        }
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
     * Zeros, of which most ids have some, and files that were not used yet nothing else, are passed by eight at a time.
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
            int zeros = found == 0 && fileId != 0 ? zeros(in, last - Integer.BYTES + 1) : 0;
            last += Math.max(leaps[found & 0xFF], zeros - Integer.BYTES + 1);
        }
        return in.limit();
    }

    /** Returns how many zeros are here at least, in whole words. */
    private static int zeros(ByteBuffer in, int from) {
        int at = from;
        while (at + Long.BYTES <= in.limit() && in.getLong(at) == 0) {
            at += Long.BYTES;
        }
        return at - from;
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

    private static String message(ByteBuffer in, int at, int end) {
        if (!adds(in, at, KIND_MESSAGE)) {
            return "";
        }
        int kindAt = kindAt(in, at);
        ByteBuffer body = in.slice(kindAt + 1, end - 4 - kindAt - 1);
        String fault = StoredMessage.fault(body);
        return fault.isEmpty() && body.hasRemaining() ? body.remaining() + " bytes too many" : fault;
    }

    private static boolean adds(ByteBuffer in, int at, byte kind) {
        int type = in.get(at);
        return (type == ADD || type == ADD_TX) && in.get(kindAt(in, at)) == kind;
    }

    private static int kindAt(ByteBuffer in, int at) {
        return in.get(at) == ADD ? at + 18 : at + 26;
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
