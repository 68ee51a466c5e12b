package io.longhaul.broker.metrics;

import io.longhaul.broker.limits.QuotaFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The meters of users and topic patterns with a limit, of the first {@value #MOST} that there are. Not thread-safe. */
final class QuotaMeters {
    static final int MOST = 500;

    private final MeterRegistry registry;
    private final Map<String, Latest> shown = new HashMap<>();

    /** What meters read, on any thread. */
    private static final class Latest {
        private volatile QuotaFigures figures;

        Latest(QuotaFigures figures) {
            this.figures = figures;
        }
    }

    QuotaMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Makes the meters tell of these. */
    void show(List<QuotaFigures> all) {
        for (QuotaFigures each : all) {
            Latest known = shown.get(each.whose());
            if (known != null) {
                known.figures = each;
            } else if (shown.size() < MOST) {
                shown.put(each.whose(), register(each));
            }
        }
    }

    private Latest register(QuotaFigures first) {
        Latest latest = new Latest(first);
        Tags tags = Tags.of("limit", first.whose());
        FunctionCounter.builder("longhaul.limit.delayed.frames", latest, now -> now.figures.delayedFrames())
                .tags(tags)
                .description("Pieces whose answer waited because they came faster than a rate allows")
                .register(registry);
        FunctionCounter.builder("longhaul.limit.refused.transfers", latest, now -> now.figures.refusedTransfers())
                .tags(tags)
                .description("Transfers that were not let in: too many at a time, or too much waits already")
                .register(registry);
        Gauge.builder("longhaul.limit.open.transfers", latest, now -> now.figures.openTransfers())
                .tags(tags)
                .description("Transfers that have begun and not ended; 0 where they are not limited")
                .register(registry);
        return latest;
    }
}
