package io.longhaul.broker.metrics;

import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.BrokerRole;
import io.longhaul.broker.BrokerSnapshot;
import io.longhaul.broker.http.Page;
import io.longhaul.broker.http.Pages;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pages of one broker as it is when they are asked for. Told of the broker from any thread. */
final class BrokerPages implements Pages {
    private final BrokerMeters meters; // event loop only
    private final StatePages states;
    private volatile @Nullable Watched watched;
    private volatile boolean stopping;

    /** What is asked of the broker. */
    private record Watched(BooleanSupplier running, Supplier<BrokerSnapshot> snapshot) {}

    BrokerPages(BrokerConfig broker) {
        meters = BrokerMeters.of(broker);
        states = new StatePages(broker);
    }

    void watch(BooleanSupplier running, Supplier<BrokerSnapshot> snapshot) {
        watched = new Watched(running, snapshot);
    }

    void stopping() {
        stopping = true;
    }

    @Override
    public Optional<Page> page(String path) {
        Watched broker = watched;
        Phase phase = phase(broker);
        Optional<Supplier<BrokerSnapshot>> snapshot =
                phase == Phase.RUNNING ? Optional.ofNullable(broker).map(Watched::snapshot) : Optional.empty();
        return switch (path) {
            case "/metrics" ->
                Optional.of(new Page(200, BrokerMeters.FORMAT, meters.scrape(phase, snapshot.map(Supplier::get))));
            case "/health" -> Optional.of(states.health(phase));
            case "/ready" -> Optional.of(states.ready(phase, snapshot.map(Supplier::get)));
            default -> Optional.empty();
        };
    }

    private Phase phase(@Nullable Watched broker) {
        if (stopping) {
            return Phase.STOPPING;
        }
        if (broker == null) {
            return Phase.STARTING;
        }
        if (broker.running().getAsBoolean()) {
            return Phase.RUNNING;
        }
        // one of a pair is between two lives
        return broker.snapshot().get().role() == BrokerRole.SINGLE ? Phase.FAILED : Phase.STARTING;
    }
}
