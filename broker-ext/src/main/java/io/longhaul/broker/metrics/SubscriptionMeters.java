package io.longhaul.broker.metrics;

import io.longhaul.broker.BrokerSnapshot.SubscriptionSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.List;

/**
 * The meters of single subscriptions, for the subscriptions that there are.
 *
 * <p>Each costs a monitoring system six series, and any agent may make subscriptions: so there are meters for no more
 * than {@value #MOST} of them, those with the most backlog; of equals the first by topic and name. Not thread-safe.
 */
final class SubscriptionMeters {
    static final int MOST = 500;

    private static final Comparator<SubscriptionSnapshot> MOST_BACKLOG_FIRST = Comparator.comparingLong(
                    SubscriptionSnapshot::backlogBytes)
            .reversed()
            .thenComparing(SubscriptionSnapshot::topic)
            .thenComparing(SubscriptionSnapshot::name);

    private static final String BYTES = "bytes";

    private final SeriesSet<SubscriptionSnapshot> shown;

    SubscriptionMeters(MeterRegistry registry) {
        shown = new SeriesSet<>(
                registry,
                "longhaul.subscription.",
                each -> Tags.of("topic", each.topic(), "subscription", each.name()),
                SubscriptionMeters::register);
    }

    /** Makes the meters tell of these subscriptions and of no others; returns how many have none. */
    int show(List<SubscriptionSnapshot> all) {
        shown.show(all.stream().sorted(MOST_BACKLOG_FIRST).limit(MOST).toList());
        return Math.max(0, all.size() - MOST);
    }

    private static void register(SeriesSet.Series<SubscriptionSnapshot> subscription) {
        subscription.gauge(
                "backlog.frames",
                null,
                SubscriptionSnapshot::backlogFrames,
                "Frames that wait for the subscription or are being delivered to it");
        subscription.gauge("backlog", BYTES, SubscriptionSnapshot::backlogBytes, "Bytes of those frames");
        subscription.gauge(
                "connected",
                null,
                each -> each.connected() ? 1 : 0,
                "1 while the subscription's agent is connected, else 0");
        subscription.counter(
                "finished.frames",
                null,
                SubscriptionSnapshot::finishedFrames,
                "Frames that the subscriber acknowledged or that were dropped");
        subscription.counter(
                "dropped.pieces",
                null,
                SubscriptionSnapshot::droppedPieces,
                "Pieces dropped because a holder has promised to repair them");
        subscription.counter("dropped", BYTES, SubscriptionSnapshot::droppedBytes, "Bytes of those pieces");
    }
}
