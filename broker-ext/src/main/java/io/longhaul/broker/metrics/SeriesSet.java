package io.longhaul.broker.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Meters of things that come and go: each has the same ones, told apart by its tags. Not thread-safe. */
final class SeriesSet<S> {
    private final MeterRegistry registry;
    private final String prefix;
    private final Function<S, Tags> tags;
    private final Consumer<Series<S>> meters;
    private final Map<Tags, Series<S>> shown = new HashMap<>();

    /**
     * Makes a set without series.
     *
     * @param prefix what the names of all its meters begin with
     * @param meters makes the meters of one series
     */
    SeriesSet(MeterRegistry registry, String prefix, Function<S, Tags> tags, Consumer<Series<S>> meters) {
        this.registry = registry;
        this.prefix = prefix;
        this.tags = tags;
        this.meters = meters;
    }

    /** Makes the meters tell of these and of no others. */
    void show(List<S> all) {
        Set<Tags> listed = new HashSet<>();
        for (S each : all) {
            Tags name = tags.apply(each);
            listed.add(name);
            shown.computeIfAbsent(name, n -> series(n, each)).latest.set(each);
        }
        shown.forEach((name, series) -> {
            if (!listed.contains(name)) {
                series.made.forEach(registry::remove);
            }
        });
        shown.keySet().retainAll(listed);
    }

    private Series<S> series(Tags name, S first) {
        Series<S> series = new Series<>(registry, prefix, name, first);
        meters.accept(series);
        return series;
    }

    /** The meters of one thing, which read what was shown of it last. */
    static final class Series<S> {
        private final MeterRegistry registry;
        private final String prefix;
        private final Tags tags;
        private final AtomicReference<S> latest;
        private final List<Meter> made = new ArrayList<>();

        private Series(MeterRegistry registry, String prefix, Tags tags, S first) {
            this.registry = registry;
            this.prefix = prefix;
            this.tags = tags;
            this.latest = new AtomicReference<>(first);
        }

        /** Adds what may rise and fall; the unit is null for a plain number. */
        void gauge(String name, @Nullable String unit, ToDoubleFunction<S> value, String description) {
            made.add(Gauge.builder(prefix + name, latest, now -> value.applyAsDouble(now.get()))
                    .tags(tags)
                    .baseUnit(unit)
                    .description(description)
                    .register(registry));
        }

        /** Adds what only rises; the unit is null for a plain number. */
        void counter(String name, @Nullable String unit, ToDoubleFunction<S> value, String description) {
            made.add(FunctionCounter.builder(prefix + name, latest, now -> value.applyAsDouble(now.get()))
                    .tags(tags)
                    .baseUnit(unit)
                    .description(description)
                    .register(registry));
        }
    }
}
