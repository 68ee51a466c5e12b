package io.longhaul.broker.artemis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Says the same kind of thing once in a while however often it happens, with a count. Thread-safe. */
final class QuietLog {
    private static final long PERIOD_NS = Duration.ofSeconds(30).toNanos();
    private static final int MOST_KINDS = 1000;
    private final Logger log;
    private final LongSupplier nanoTime;
    private final Map<String, Said> said = new ConcurrentHashMap<>();

    private record Said(long atNs, long since) {}

    QuietLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    /** Logs the line unless one of its kind was logged within the last 30 s. */
    void warn(String kind, String line) {
        if (said.size() > MOST_KINDS) {
            said.clear();
        }
        long now = nanoTime.getAsLong();
        said.compute(kind, (k, last) -> {
            if (last != null && now - last.atNs() < PERIOD_NS) {
                return new Said(last.atNs(), last.since() + 1);
            }
            log.warn("{}{}", line, last == null || last.since() == 0 ? "" : " (and " + last.since() + " times before)");
            return new Said(now, 0);
        });
    }
}
