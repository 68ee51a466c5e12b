package io.longhaul.agent.receive;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks that the pieces of each file of a transfer cover it from 0 without gap or overlap.
 *
 * <p>Pieces that come in order of their offsets cost nothing; others are remembered until the gap before them closes.
 * Not thread-safe.
 */
final class Coverage {
    private final Map<Long, Long> covered = new HashMap<>();
    private final Map<Long, TreeMap<Long, Long>> ahead = new HashMap<>();

    /** Adds a piece; throws {@link RefusedTransfer} when it overlaps another. */
    void add(long entry, long offset, long length) {
        long position = covered.getOrDefault(entry, 0L);
        if (offset < position) {
            throw overlap(entry, offset, position);
        }
        if (offset > position) {
            if (ahead.computeIfAbsent(entry, e -> new TreeMap<>()).put(offset, length) != null) {
                throw overlap(entry, offset, offset + length);
            }
            return;
        }
        position += length;
        TreeMap<Long, Long> later = ahead.get(entry);
        while (later != null && !later.isEmpty() && later.firstKey() <= position) {
            Map.Entry<Long, Long> next = later.pollFirstEntry();
            if (next.getKey() < position) {
                throw overlap(entry, next.getKey(), position);
            }
            position += next.getValue();
        }
        if (later != null && later.isEmpty()) {
            ahead.remove(entry);
        }
        covered.put(entry, position);
    }

    /** Whether pieces of this file were added. */
    boolean has(long entry) {
        return covered.containsKey(entry) || ahead.containsKey(entry);
    }

    /** How many files have pieces. */
    long files() {
        return covered.size();
    }

    /** Throws {@link RefusedTransfer} unless the pieces cover exactly this length. */
    void requireLength(long entry, long length) {
        long position = covered.getOrDefault(entry, 0L);
        if (position != length || ahead.containsKey(entry)) {
            throw new RefusedTransfer("entry " + entry + ": expected pieces that cover " + length + " bytes, found "
                    + position + " bytes without a gap");
        }
    }

    private static RefusedTransfer overlap(long entry, long offset, long position) {
        return new RefusedTransfer(
                "entry " + entry + ": piece at offset " + offset + " overlaps the one that ends at " + position);
    }
}
