package io.longhaul.storage.ledger;

import io.longhaul.storage.EntryRow;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Entries that share a row of the table: they follow one another in number, belong to one piece and have digests of one
 * length. A tree of small files has thousands of entries, and a row costs far more than what is in it.
 *
 * @param entries at least one, at most {@value #MOST}
 */
record EntryRun(List<EntryRow> entries) {
    /** How far back the row of an entry may begin; rows stay below a megabyte whatever the names. */
    static final int MOST = 64;

    EntryRun {
        entries = List.copyOf(entries);
    }

    /** Parts entries into as few runs as can be; of those with the same number the last one counts. */
    static List<EntryRun> of(List<EntryRow> entries) {
        List<EntryRow> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.comparingLong(EntryRow::number));
        List<EntryRun> runs = new ArrayList<>();
        List<EntryRow> open = new ArrayList<>();
        for (int i = 0; i < sorted.size(); i++) {
            EntryRow next = sorted.get(i);
            if (i + 1 < sorted.size() && sorted.get(i + 1).number() == next.number()) {
                continue;
            }
            if (!open.isEmpty() && !isFollowed(open, next)) {
                runs.add(new EntryRun(open));
                open.clear();
            }
            open.add(next);
        }
        if (!open.isEmpty()) {
            runs.add(new EntryRun(open));
        }
        return runs;
    }

    private static boolean isFollowed(List<EntryRow> open, EntryRow next) {
        EntryRow last = open.get(open.size() - 1);
        return open.size() < MOST
                && next.number() == last.number() + 1
                && next.piece() == last.piece()
                && next.sha256().length == last.sha256().length;
    }

    long first() {
        return entries.get(0).number();
    }

    long last() {
        return first() + entries.size() - 1;
    }

    long piece() {
        return entries.get(0).piece();
    }

    /** Returns what is left of this one when those of the other are written anew. */
    List<EntryRun> without(EntryRun other) {
        return of(entries.stream()
                .filter(each -> each.number() < other.first() || each.number() > other.last())
                .toList());
    }

    /** Returns a single entry as it is, several each after its length (4 bytes). */
    byte[] encoded() {
        if (entries.size() == 1) {
            return entries.get(0).encoded();
        }
        int bytes = 0;
        for (EntryRow each : entries) {
            bytes += Integer.BYTES + each.encoded().length;
        }
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (EntryRow each : entries) {
            all.putInt(each.encoded().length).put(each.encoded());
        }
        return all.array();
    }

    /** Returns the digests, one behind the other. */
    byte[] sha256() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (EntryRow each : entries) {
            all.writeBytes(each.sha256());
        }
        return all.toByteArray();
    }

    /** Returns what a row says. */
    static EntryRun read(long first, long piece, int count, byte[] encoded, byte[] sha256) {
        if (count == 1) {
            return new EntryRun(List.of(new EntryRow(first, piece, encoded, sha256)));
        }
        ByteBuffer each = ByteBuffer.wrap(encoded);
        ByteBuffer digests = ByteBuffer.wrap(sha256);
        List<EntryRow> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(
                    new EntryRow(first + i, piece, bytes(each, each.getInt()), bytes(digests, sha256.length / count)));
        }
        return new EntryRun(entries);
    }

    private static byte[] bytes(ByteBuffer from, int count) {
        byte[] bytes = new byte[count];
        from.get(bytes);
        return bytes;
    }
}
