package io.longhaul.broker.metrics;

import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.BrokerRole;
import io.longhaul.broker.BrokerSnapshot;
import io.longhaul.broker.BrokerSnapshot.SubscriptionSnapshot;
import io.longhaul.wire.BrokerReport.FailingLink;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * All meters of a broker, as Prometheus reads them.
 *
 * <p>All figures of one reading come from one snapshot. What is known of frames and disk appears with the first one, so
 * that a broker that starts does not look like one whose disk is full. Confined to one thread.
 */
final class BrokerMeters {
    /** Prometheus's text format, which every version of it reads. */
    static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry;
    private final SubscriptionMeters subscriptions;
    private final LinkMeters links;
    private final SeriesSet<FailingLink> failing;
    private final QuotaMeters quotas;
    private final long backlogLimitBytes;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);
    private @Nullable AtomicReference<Sight> latest;

    /** What was seen last, and how many subscriptions of it have no meters of their own. */
    private record Sight(BrokerSnapshot snapshot, int unlisted) {
        double sum(ToDoubleFunction<SubscriptionSnapshot> value) {
            return snapshot.subscriptions().stream().mapToDouble(value).sum();
        }
    }

    private BrokerMeters(BrokerConfig broker) {
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().commonTags(Tags.of("broker", broker.name()));
        subscriptions = new SubscriptionMeters(registry);
        links = new LinkMeters(registry);
        failing = new SeriesSet<>(
                registry,
                "longhaul.link.",
                each -> Tags.of("to", each.to(), "kind", each.kind()),
                series -> series.gauge(
                        "failing",
                        null,
                        each -> 1,
                        "1 for each link that the broker opens in vain, by what kind of reason"));
        quotas = new QuotaMeters(registry);
        backlogLimitBytes = broker.backlogLimitBytes();
    }

    static BrokerMeters of(BrokerConfig broker) {
        BrokerMeters meters = new BrokerMeters(broker);
        ProcessMeters.register(meters.registry);
        Gauge.builder("longhaul.running", meters.phase, now -> now.get() == Phase.RUNNING ? 1 : 0)
                .description("1 while the broker runs, 0 while it starts or stops and when it has failed")
                .register(meters.registry);
        return meters;
    }

    /** Returns everything in Prometheus's format; without a snapshot the figures stay those of the one before. */
    String scrape(Phase now, Optional<BrokerSnapshot> snapshot) {
        phase.set(now);
        snapshot.ifPresent(seen -> {
            links.show(seen.links());
            failing.show(seen.failing());
            quotas.show(seen.quotas());
            Sight sight = new Sight(seen, subscriptions.show(seen.subscriptions()));
            if (latest == null) {
                latest = new AtomicReference<>(sight);
                register(latest);
                registerPair(latest);
            } else {
                latest.set(sight);
            }
        });
        return registry.scrape(FORMAT);
    }

    private void register(AtomicReference<Sight> sights) {
        counter(sights, "taken.frames", seen -> seen.snapshot().frames())
                .description("Frames taken, from agents and over links")
                .register(registry);
        counter(sights, "taken", seen -> seen.snapshot().bytes())
                .baseUnit("bytes")
                .description("Bytes of those frames, those of the transport included")
                .register(registry);
        counter(sights, "refused.frames", seen -> seen.snapshot().refused())
                .description("Frames refused: no space, too large, no subscription any more")
                .register(registry);
        gauge(sights, "intake.paused", seen -> seen.snapshot().paused() ? 1 : 0)
                .description("1 while nothing is taken because the disk is at its floor, else 0")
                .register(registry);
        gauge(sights, "disk.free", seen -> seen.snapshot().freeBytes())
                .baseUnit("bytes")
                .description("Free space of the data directory's file system")
                .register(registry);
        gauge(sights, "disk.floor", seen -> seen.snapshot().floorBytes())
                .baseUnit("bytes")
                .description("Free space below which nothing is taken")
                .register(registry);
        gauge(sights, "subscriptions", seen -> seen.snapshot().subscriptions().size())
                .description("Subscriptions")
                .register(registry);
        gauge(sights, "subscriptions.unlisted", Sight::unlisted)
                .description("Subscriptions without figures of their own: only the " + SubscriptionMeters.MOST
                        + " with the most backlog have them")
                .register(registry);
        gauge(sights, "backlog.frames", seen -> seen.sum(SubscriptionSnapshot::backlogFrames))
                .description("Frames that wait, all subscriptions together; one that waits for two counts twice")
                .register(registry);
        gauge(sights, "backlog", seen -> seen.sum(SubscriptionSnapshot::backlogBytes))
                .baseUnit("bytes")
                .description("Bytes of those frames")
                .register(registry);
        gauge(sights, "backlog.limit", seen -> backlogLimitBytes)
                .baseUnit("bytes")
                .description("Most that one subscription may leave behind, as configured")
                .register(registry);
        gauge(sights, "receipts.untaken", seen -> seen.snapshot().receipts().bytes())
                .baseUnit("bytes")
                .description("Bytes on disk of receipts for agents that have been away for an hour")
                .register(registry);
        counter(sights, "receipts.dropped", seen -> seen.snapshot().receipts().dropped())
                .description("Receipts dropped with the queues of such agents, as they took too much")
                .register(registry);
    }

    private void registerPair(AtomicReference<Sight> sights) {
        gauge(sights, "live", seen -> seen.snapshot().role().isLive() ? 1 : 0)
                .description("1 while agents are served, 0 while the broker is the backup of a pair or becomes one")
                .register(registry);
        gauge(sights, "pair.synced", seen -> isSynced(seen.snapshot().role()) ? 1 : 0)
                .description("1 while both brokers of the pair have everything, 0 else and for a broker by itself")
                .register(registry);
    }

    private static boolean isSynced(BrokerRole role) {
        return role == BrokerRole.PRIMARY || role == BrokerRole.BACKUP;
    }

    private static Gauge.Builder<AtomicReference<Sight>> gauge(
            AtomicReference<Sight> sights, String name, ToDoubleFunction<Sight> value) {
        return Gauge.builder("longhaul." + name, sights, now -> value.applyAsDouble(now.get()));
    }

    private static FunctionCounter.Builder<AtomicReference<Sight>> counter(
            AtomicReference<Sight> sights, String name, ToDoubleFunction<Sight> value) {
        return FunctionCounter.builder("longhaul." + name, sights, now -> value.applyAsDouble(now.get()));
    }
}
