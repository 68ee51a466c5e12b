package io.longhaul.gridftp.range;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A set of bytes as disjoint ranges; ranges that touch are one. */
public final class ByteRanges {
    /** Ends by starts. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    private long total;

    /** Returns a set of these ranges, which may overlap. */
    public static ByteRanges of(Collection<ByteRange> ranges) {
        ByteRanges set = new ByteRanges();
        ranges.forEach(range -> set.add(range.start(), range.end()));
        return set;
    }

    /** Adds the bytes from start to before end. */
    public void add(long start, long end) {
        if (end <= start) {
            return;
        }
        long from = start;
        long to = end;
        Map.Entry<Long, Long> before = ends.floorEntry(start);
        if (before != null && before.getValue() >= start) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
            forget(before);
        }
        Map.Entry<Long, Long> next = ends.ceilingEntry(from);
        while (next != null && next.getKey() <= to) {
            to = Math.max(to, next.getValue());
            forget(next);
            next = ends.ceilingEntry(from);
        }
        ends.put(from, to);
        total += to - from;
    }

    private void forget(Map.Entry<Long, Long> range) {
        ends.remove(range.getKey());
        total -= range.getValue() - range.getKey();
    }

    /** Removes the bytes from start to before end. */
    public void remove(long start, long end) {
        for (ByteRange range : within(new ByteRange(start, Math.max(start, end)))) {
            Map.Entry<Long, Long> whole = ends.floorEntry(range.start());
            forget(whole);
            add(whole.getKey(), range.start());
            add(range.end(), whole.getValue());
        }
    }

    /** Adds all bytes of another set. */
    public void addAll(ByteRanges others) {
        others.ends.forEach(this::add);
    }

    /** Returns the number of bytes in the set. */
    public long total() {
        return total;
    }

    /** Returns the number of disjoint ranges. */
    public int count() {
        return ends.size();
    }

    /** Returns the first byte behind the last range; 0 for none. */
    public long end() {
        return ends.isEmpty() ? 0 : ends.lastEntry().getValue();
    }

    /** Returns whether there is no hole before the end. */
    public boolean isWhole() {
        return total == end();
    }

    /** Returns whether all bytes of the range are in the set. */
    public boolean contains(ByteRange range) {
        Map.Entry<Long, Long> before = ends.floorEntry(range.start());
        return range.isEmpty() || before != null && before.getValue() >= range.end();
    }

    /** Returns what of a range is in the set, ascending. */
    public List<ByteRange> within(ByteRange range) {
        List<ByteRange> found = new ArrayList<>();
        Map.Entry<Long, Long> at = ends.floorEntry(range.start());
        if (at == null || at.getValue() <= range.start()) {
            at = ends.higherEntry(range.start());
        }
        while (at != null && at.getKey() < range.end()) {
            found.add(new ByteRange(Math.max(at.getKey(), range.start()), Math.min(at.getValue(), range.end())));
            at = ends.higherEntry(at.getKey());
        }
        return found;
    }

    /** Returns what of a range is not in the set, ascending. */
    public List<ByteRange> missing(ByteRange range) {
        List<ByteRange> missing = new ArrayList<>();
        long at = range.start();
        for (ByteRange there : within(range)) {
            if (there.start() > at) {
                missing.add(new ByteRange(at, there.start()));
            }
            at = there.end();
        }
        if (at < range.end()) {
            missing.add(new ByteRange(at, range.end()));
        }
        return missing;
    }

    /** Returns the disjoint ranges, ascending. */
    public List<ByteRange> list() {
        List<ByteRange> list = new ArrayList<>(ends.size());
        ends.forEach((start, end) -> list.add(new ByteRange(start, end)));
        return list;
    }

    /** Returns what of the bytes before the limit is not in the set, ascending. */
    public List<ByteRange> missing(long limit) {
        return missing(new ByteRange(0, Math.max(0, limit)));
    }

    /** Returns the ranges as markers list them: {@code 0-10,20-30}. */
    @Override
    public String toString() {
        return list().stream().map(ByteRange::toString).collect(Collectors.joining(","));
    }
}
