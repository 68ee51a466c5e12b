package io.longhaul.broker.metrics;

import io.longhaul.broker.BrokerSnapshot.SubscriptionSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

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

    private final MeterRegistry registry;
    private final Map<Name, Series> shown = new HashMap<>();

    /** What a subscription's meters read, and the meters. */
    private record Series(AtomicReference<SubscriptionSnapshot> latest, List<Meter> meters) {}

    private record Name(String topic, String subscription) {
        static Name of(SubscriptionSnapshot each) {
            return new Name(each.topic(), each.name());
        }
    }

    SubscriptionMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Makes the meters tell of these subscriptions and of no others; returns how many have none. */
    int show(List<SubscriptionSnapshot> all) {
        Set<Name> listed = new HashSet<>();
        all.stream().sorted(MOST_BACKLOG_FIRST).limit(MOST).forEach(each -> {
            listed.add(Name.of(each));
            shown.computeIfAbsent(Name.of(each), name -> series(each)).latest().set(each);
        });
        shown.forEach((name, series) -> {
            if (!listed.contains(name)) {
                series.meters().forEach(registry::remove);
            }
        });
        shown.keySet().retainAll(listed);
        return Math.max(0, all.size() - MOST);
    }

    private Series series(SubscriptionSnapshot first) {
        AtomicReference<SubscriptionSnapshot> latest = new AtomicReference<>(first);
        Tags tags = Tags.of("topic", first.topic(), "subscription", first.name());
        return new Series(
                latest,
                List.of(
                        gauge(latest, tags, "backlog.frames", SubscriptionSnapshot::backlogFrames)
                                .description("Frames that wait for the subscription or are being delivered to it")
                                .register(registry),
                        gauge(latest, tags, "backlog", SubscriptionSnapshot::backlogBytes)
                                .baseUnit("bytes")
                                .description("Bytes of those frames")
                                .register(registry),
                        gauge(latest, tags, "connected", each -> each.connected() ? 1 : 0)
                                .description("1 while the subscription's agent is connected, else 0")
                                .register(registry),
                        counter(latest, tags, "finished.frames", SubscriptionSnapshot::finishedFrames)
                                .description("Frames that the subscriber acknowledged or that were dropped")
                                .register(registry),
                        counter(latest, tags, "dropped.pieces", SubscriptionSnapshot::droppedPieces)
                                .description("Pieces dropped because a holder has promised to repair them")
                                .register(registry),
                        counter(latest, tags, "dropped", SubscriptionSnapshot::droppedBytes)
                                .baseUnit("bytes")
                                .description("Bytes of those pieces")
                                .register(registry)));
    }

    private static Gauge.Builder<AtomicReference<SubscriptionSnapshot>> gauge(
            AtomicReference<SubscriptionSnapshot> latest,
            Tags tags,
            String name,
            ToDoubleFunction<SubscriptionSnapshot> value) {
        return Gauge.builder("longhaul.subscription." + name, latest, now -> value.applyAsDouble(now.get()))
                .tags(tags);
    }

    private static FunctionCounter.Builder<AtomicReference<SubscriptionSnapshot>> counter(
            AtomicReference<SubscriptionSnapshot> latest,
            Tags tags,
            String name,
            ToDoubleFunction<SubscriptionSnapshot> value) {
        return FunctionCounter.builder("longhaul.subscription." + name, latest, now -> value.applyAsDouble(now.get()))
                .tags(tags);
    }
}
