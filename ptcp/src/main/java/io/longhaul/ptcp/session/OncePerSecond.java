package io.longhaul.ptcp.session;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Passes one story of each kind on in a second, with how many it kept back before: what strangers do must not fill a log.
 *
 * <p>Kinds are words of this code and never of the other end, so that there are few. Thread-safe; whom it tells must not
 * block.
 */
public final class OncePerSecond implements BiConsumer<String, String> {
    private static final long PERIOD_NS = Duration.ofSeconds(1).toNanos();
    private final BiConsumer<String, String> told;
    private final LongSupplier nanoTime;
    private final Map<String, Last> lasts = new ConcurrentHashMap<>();

    private record Last(long atNs, long keptBack) {}

    /** Takes whom to tell the kind and the story. */
    public OncePerSecond(BiConsumer<String, String> told, LongSupplier nanoTime) {
        this.told = told;
        this.nanoTime = nanoTime;
    }

    @Override
    public void accept(String kind, String story) {
        long nowNs = nanoTime.getAsLong();
        lasts.compute(kind, (same, last) -> {
            if (last != null && nowNs - last.atNs < PERIOD_NS) {
                return new Last(last.atNs, last.keptBack + 1);
            }
            boolean more = last != null && last.keptBack > 0;
            told.accept(kind, more ? story + " (and " + last.keptBack + " more before)" : story);
            return new Last(nowNs, 0);
        });
    }
}
