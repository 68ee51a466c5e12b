package io.longhaul.broker.metrics;

import io.longhaul.broker.BrokerSnapshot.LinkSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The meters of single links, for every broker that there has been a link to until it is taken out. Not thread-safe. */
final class LinkMeters {
    private final MeterRegistry registry;
    private final Map<String, Shown> shown = new HashMap<>();

    private record Shown(AtomicReference<LinkSnapshot> latest, List<Meter> meters) {}

    LinkMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Makes the meters tell of these links. */
    void show(List<LinkSnapshot> all) {
        all.forEach(each -> shown.computeIfAbsent(each.peer(), peer -> register(each))
                .latest()
                .set(each));
        Set<String> peers = all.stream().map(LinkSnapshot::peer).collect(Collectors.toSet());
        shown.entrySet().removeIf(each -> !peers.contains(each.getKey()) && removed(each.getValue()));
    }

    private boolean removed(Shown gone) {
        gone.meters().forEach(registry::remove);
        return true;
    }

    private Shown register(LinkSnapshot first) {
        AtomicReference<LinkSnapshot> latest = new AtomicReference<>(first);
        Tags tags = Tags.of("peer", first.peer());
        List<Meter> meters = new ArrayList<>();
        meters.add(gauge(latest, tags, "up", each -> each.up() ? 1 : 0)
                .description("1 while the link to the other broker stands, else 0")
                .register(registry));
        meters.add(gauge(latest, tags, "active", each -> each.active() ? 1 : 0)
                .description("1 while the link carries files, 0 while it is down or waits for another one to fail")
                .register(registry));
        meters.add(gauge(latest, tags, "backlog.frames", LinkSnapshot::backlogFrames)
                .description("Frames that wait for the link or for the other broker's word that it has them")
                .register(registry));
        meters.add(gauge(latest, tags, "backlog", LinkSnapshot::backlogBytes)
                .baseUnit("bytes")
                .description("Bytes of those frames")
                .register(registry));
        meters.add(counter(latest, tags, "sent.frames", LinkSnapshot::sentFrames)
                .description("Frames that the other broker has taken")
                .register(registry));
        meters.add(counter(latest, tags, "sent", LinkSnapshot::sentBytes)
                .baseUnit("bytes")
                .description("Bytes of those frames")
                .register(registry));
        meters.add(counter(latest, tags, "resent.frames", LinkSnapshot::resentFrames)
                .description("Frames sent more than once, because the link was lost before they were taken")
                .register(registry));
        meters.add(counter(latest, tags, "received.frames", LinkSnapshot::receivedFrames)
                .description("Frames taken from the other broker")
                .register(registry));
        meters.add(counter(latest, tags, "received", LinkSnapshot::receivedBytes)
                .baseUnit("bytes")
                .description("Bytes of those frames")
                .register(registry));
        return new Shown(latest, meters);
    }

    private static Gauge.Builder<AtomicReference<LinkSnapshot>> gauge(
            AtomicReference<LinkSnapshot> latest, Tags tags, String name, ToDoubleFunction<LinkSnapshot> value) {
        return Gauge.builder("longhaul.link." + name, latest, now -> value.applyAsDouble(now.get()))
                .tags(tags);
    }

    private static FunctionCounter.Builder<AtomicReference<LinkSnapshot>> counter(
            AtomicReference<LinkSnapshot> latest, Tags tags, String name, ToDoubleFunction<LinkSnapshot> value) {
        return FunctionCounter.builder("longhaul.link." + name, latest, now -> value.applyAsDouble(now.get()))
                .tags(tags);
    }
}
