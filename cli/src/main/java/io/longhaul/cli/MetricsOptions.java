package io.longhaul.cli;

import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.metrics.MetricsConfig;
import io.longhaul.broker.metrics.MetricsEndpoint;
import io.longhaul.cli.option.HostPort;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a broker is watched. */
final class MetricsOptions {
    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description =
                    "Where /metrics (for Prometheus), /health and /ready are served over HTTP, without login; port 0"
                            + " takes a free one. Default: nowhere.")
    private @Nullable HostPort place;

    @Option(
            names = "--metrics-anywhere",
            description = "Let --metrics listen beyond loopback: whoever reaches it reads it.")
    private boolean anywhere;

    /** Listens before the broker is launched; without --metrics nothing is served. */
    Served serve(BrokerConfig broker) {
        if (place == null) {
            if (anywhere) {
                throw new IllegalArgumentException("--metrics-anywhere goes with --metrics HOST:PORT");
            }
            return new Served(Optional.empty(), "");
        }
        MetricsConfig config = new MetricsConfig(place.host(), place.port(), anywhere);
        return new Served(Optional.of(MetricsEndpoint.open(config, broker)), place.host());
    }

    /** What is served, if anything is. */
    record Served(Optional<MetricsEndpoint> endpoint, String host) implements AutoCloseable {
        void watch(Broker broker) {
            endpoint.ifPresent(it -> it.watch(broker));
        }

        void stopping() {
            endpoint.ifPresent(MetricsEndpoint::stopping);
        }

        /** Returns host and actual port. */
        Optional<String> place() {
            return endpoint.map(it -> new HostPort(host, it.port()).toString());
        }

        @Override
        public void close() {
            endpoint.ifPresent(MetricsEndpoint::close);
        }
    }
}
