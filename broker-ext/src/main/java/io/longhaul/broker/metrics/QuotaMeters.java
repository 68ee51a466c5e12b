package io.longhaul.broker.metrics;

import io.longhaul.broker.limits.QuotaFigures;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/** The meters of users and topic patterns with a limit, of the first {@value #MOST} that there are. Not thread-safe. */
final class QuotaMeters {
    static final int MOST = 500;

    private final SeriesSet<QuotaFigures> shown;

    QuotaMeters(MeterRegistry registry) {
        shown = new SeriesSet<>(
                registry, "longhaul.limit.", each -> Tags.of("limit", each.whose()), QuotaMeters::register);
    }

    /** Makes the meters tell of these and of no others. */
    void show(List<QuotaFigures> all) {
        shown.show(all.stream().limit(MOST).toList());
    }

    private static void register(SeriesSet.Series<QuotaFigures> limit) {
        limit.counter(
                "delayed.frames",
                null,
                QuotaFigures::delayedFrames,
                "Pieces whose answer waited because they came faster than a rate allows");
        limit.counter(
                "refused.transfers",
                null,
                QuotaFigures::refusedTransfers,
                "Transfers that were not let in: too many at a time, or too much waits already");
        limit.gauge("open.transfers", null, QuotaFigures::openTransfers, "Transfers that have begun and not ended");
    }
}
