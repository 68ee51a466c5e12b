package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Parts whose transfer was cut, kept for a while for one that resumes. Thread-safe. */
final class Suspended implements AutoCloseable {
    private static final int MOST = 64;
    private static final long KEPT_NS = Duration.ofHours(1).toNanos();

    private final LongSupplier nanoTime;
    private final Map<Path, Kept> parts = new LinkedHashMap<>(); // by target, oldest first; guarded by this
    private boolean closed; // guarded by this

    Suspended(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Kept(Part part, long sinceNs) {}

    synchronized void keep(Part part) {
        forget(part.target());
        if (closed) {
            remove(part);
            return;
        }
        parts.put(part.target(), new Kept(part, nanoTime.getAsLong()));
        long now = nanoTime.getAsLong();
        parts.values().stream()
                .filter(kept -> now - kept.sinceNs > KEPT_NS)
                .toList()
                .forEach(kept -> forget(kept.part.target()));
        while (parts.size() > MOST) {
            forget(parts.keySet().iterator().next());
        }
    }

    /** Returns and forgets the part of a target, if it has these bytes. */
    synchronized Optional<Part> take(Path target, List<ByteRange> present) {
        Kept kept = parts.get(target);
        if (kept == null || !present.stream().allMatch(kept.part.ranges()::contains)) {
            return Optional.empty();
        }
        parts.remove(target);
        return Optional.of(kept.part);
    }

    /** Removes the part of a target, since something newer takes its place. */
    synchronized void forget(Path target) {
        Kept kept = parts.remove(target);
        if (kept != null) {
            remove(kept.part);
        }
    }

    private static void remove(Part part) {
        try {
            Files.deleteIfExists(part.place());
        } catch (IOException e) {
            // it goes with the workplace
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        List.copyOf(parts.keySet()).forEach(this::forget);
    }
}
