package io.longhaul.gridftp.server;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.range.Doubts;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What writes that came to nothing left: temporary files that are kept for one that resumes, temporary files that could
 * not be removed yet, and which files must not be taken for what had come. Thread-safe; removes nothing itself.
 */
final class Remains {
    /** How long a part is kept. */
    static final Duration KEPT = Duration.ofHours(1);

    private static final int MOST = 64;
    private static final int MOST_UNWANTED = 4096;

    private final LongSupplier nanoTime;
    private final Map<FilePath, Kept> kept = new LinkedHashMap<>(); // oldest first; guarded by this
    private final Doubts<FilePath, Version> doubts = new Doubts<>();
    private final Set<String> unwanted = new LinkedHashSet<>(); // guarded by this
    private boolean waits; // whether somebody will try to remove again; guarded by this

    Remains(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * A temporary file.
     *
     * @param place the server's path
     * @param ranges that it has, as far as the server said; if ordered, it has them up to the length that it has
     * @param isOrdered whether its bytes were written one after the other
     */
    record Part(String place, ByteRanges ranges, boolean isOrdered, Pieces pieces) {}

    private record Kept(Part part, long sinceNs) {}

    /** Tells a file from the one that had its name before. */
    record Version(long length, Instant modified, String unique) {
        static Version of(Entry entry) {
            return new Version(
                    entry.length(),
                    entry.modified(),
                    entry.unix().map(Entry.Unix::unique).orElse(""));
        }
    }

    /** Returns which files must not be taken for what a client was sending. */
    Doubts<FilePath, Version> doubts() {
        return doubts;
    }

    /** Keeps a part for a while. */
    synchronized void keep(FilePath path, Part part) {
        forget(path);
        kept.put(path, new Kept(part, nanoTime.getAsLong()));
        expire();
    }

    private void expire() {
        long now = nanoTime.getAsLong();
        List<FilePath> old = new ArrayList<>();
        kept.forEach((other, candidate) -> {
            if (now - candidate.sinceNs > KEPT.toNanos() || kept.size() - old.size() > MOST) {
                old.add(other);
            }
        });
        old.forEach(this::forget);
    }

    /** Returns and forgets the part of a path, if it may have these bytes. */
    synchronized Optional<Part> take(FilePath path, List<ByteRange> present) {
        Kept found = kept.get(path);
        if (found == null || !present.stream().allMatch(found.part.ranges()::contains)) {
            return Optional.empty();
        }
        kept.remove(path);
        return Optional.of(found.part);
    }

    /** The part of a path is not wanted any more. */
    synchronized void forget(FilePath path) {
        Kept found = kept.remove(path);
        if (found != null) {
            remove(found.part.place());
        }
    }

    synchronized void forgetAll() {
        List.copyOf(kept.keySet()).forEach(this::forget);
    }

    /** A temporary file is to be removed when there is a session for it. */
    synchronized void remove(String place) {
        unwanted.add(place);
        if (unwanted.size() > MOST_UNWANTED) {
            unwanted.remove(unwanted.iterator().next());
        }
    }

    /** Returns whether there is anything to remove. */
    synchronized boolean hasUnwanted() {
        expire();
        return !unwanted.isEmpty();
    }

    /** Returns whether the caller is the one to try again later, since nobody else is. */
    synchronized boolean mayWait() {
        boolean mayWait = !waits;
        waits = true;
        return mayWait;
    }

    /** The caller tries again now. */
    synchronized void waited() {
        waits = false;
    }

    /** Returns what is to be removed, and leaves it to the caller. */
    synchronized List<String> takeUnwanted() {
        List<String> places = List.copyOf(unwanted);
        unwanted.clear();
        return places;
    }
}
