package io.longhaul.gridftp.content;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A set of bytes with the CRC-32C of each range, where it is known: bytes that were written over have none until somebody
 * reads them again. Not thread-safe.
 */
public final class SummedRanges {
    private final TreeMap<Long, Summed> byStart = new TreeMap<>();
    private long total;

    /**
     * A range and its sum.
     *
     * @param known whether the sum is that of the bytes
     */
    public record Summed(long start, long end, int checksum, boolean known) {
        public long length() {
            return end - start;
        }

        ByteRange range() {
            return new ByteRange(start, end);
        }

        Summed with(int sum) {
            return new Summed(start, end, sum, true);
        }

        private Summed followedBy(Summed next) {
            return known && next.known
                    ? new Summed(start, next.end, Crc32cSums.combine(checksum, next.checksum, next.length()), true)
                    : new Summed(start, next.end, 0, false);
        }
    }

    /** Adds bytes that were read or written at a position. */
    public void add(long position, ByteBuffer bytes) {
        add(new Summed(position, position + bytes.remaining(), Crc32cSums.of(bytes), true));
    }

    /** Adds a range; bytes that were there already have the sum of the added ones only if these are the same range. */
    public void add(Summed added) {
        if (added.length() == 0) {
            return;
        }
        Summed merged = added;
        Map.Entry<Long, Summed> before = byStart.lowerEntry(added.start);
        if (before != null && before.getValue().end == added.start) {
            remove(before.getValue());
            merged = before.getValue().followedBy(merged);
        } else if (before != null && before.getValue().end > added.start) {
            merged = united(before.getValue(), merged);
        }
        Map.Entry<Long, Summed> next = byStart.ceilingEntry(merged.start);
        while (next != null && next.getKey() < merged.end) {
            merged = united(next.getValue(), merged);
            next = byStart.ceilingEntry(merged.start);
        }
        if (next != null && next.getKey() == merged.end) {
            remove(next.getValue());
            merged = merged.followedBy(next.getValue());
        }
        byStart.put(merged.start, merged);
        total += merged.length();
    }

    /** Adds all ranges of another set. */
    public void addAll(SummedRanges others) {
        others.byStart.values().forEach(this::add);
    }

    private Summed united(Summed old, Summed added) {
        remove(old);
        return old.start == added.start && old.end == added.end && added.known
                ? added
                : new Summed(Math.min(old.start, added.start), Math.max(old.end, added.end), 0, false);
    }

    private void remove(Summed range) {
        byStart.remove(range.start);
        total -= range.length();
    }

    /** Forgets the bytes from this one on. */
    public void trim(long end) {
        while (!byStart.isEmpty() && byStart.lastEntry().getValue().end > end) {
            Summed last = byStart.lastEntry().getValue();
            remove(last);
            if (last.start < end) {
                add(new Summed(last.start, end, 0, false));
            }
        }
    }

    /** Forgets everything. */
    public void clear() {
        byStart.clear();
        total = 0;
    }

    /** Returns the number of bytes. */
    public long total() {
        return total;
    }

    int count() {
        return byStart.size();
    }

    /** Returns the first byte behind the last range; 0 for none. */
    public long end() {
        return byStart.isEmpty() ? 0 : byStart.lastEntry().getValue().end;
    }

    /** Returns another set with the same bytes. */
    public SummedRanges copy() {
        SummedRanges copy = new SummedRanges();
        copy.addAll(this);
        return copy;
    }

    List<Summed> list() {
        return List.copyOf(byStart.values());
    }

    ByteRanges ranges() {
        ByteRanges ranges = new ByteRanges();
        byStart.values().forEach(range -> ranges.add(range.start, range.end));
        return ranges;
    }

    boolean contains(ByteRange range) {
        Map.Entry<Long, Summed> before = byStart.floorEntry(range.start());
        return range.isEmpty() || before != null && before.getValue().end >= range.end();
    }

    /** Returns what of the range is there, ascending. */
    List<ByteRange> within(ByteRange range) {
        List<ByteRange> found = new ArrayList<>();
        Map.Entry<Long, Summed> at = byStart.floorEntry(range.start());
        if (at == null || at.getValue().end <= range.start()) {
            at = byStart.higherEntry(range.start());
        }
        while (at != null && at.getKey() < range.end()) {
            Summed summed = at.getValue();
            found.add(new ByteRange(Math.max(summed.start, range.start()), Math.min(summed.end, range.end())));
            at = byStart.higherEntry(at.getKey());
        }
        return found;
    }

    /** Returns the sum of all bytes in ascending order, when it is known. */
    public OptionalInt checksum() {
        int sum = 0;
        for (Summed range : byStart.values()) {
            if (!range.known) {
                return OptionalInt.empty();
            }
            sum = Crc32cSums.combine(sum, range.checksum, range.length());
        }
        return OptionalInt.of(sum);
    }
}
