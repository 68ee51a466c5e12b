package io.longhaul.broker.metrics;

import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.BrokerException;
import io.longhaul.broker.artemis.NettyMemory;
import io.longhaul.broker.http.PageServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Serves {@code /metrics}, {@code /health} and {@code /ready} of a broker over HTTP.
 *
 * <p>Opened before the broker is launched: so a taken port is told before anything is made on disk, and a long start can
 * be told from a dead process. May be used from any thread.
 */
public final class MetricsEndpoint implements AutoCloseable {
    private static final String THREAD = "broker-metrics-1";

    private final PageServer server;
    private final BrokerPages pages;

    private MetricsEndpoint(PageServer server, BrokerPages pages) {
        this.server = server;
        this.pages = pages;
    }

    /**
     * Listens, and answers that the broker is starting.
     *
     * @throws BrokerException {@code BAD_CONFIG} when the address is beyond loopback and must not be, {@code
     *     CANNOT_LISTEN} when it cannot be had
     */
    public static MetricsEndpoint open(MetricsConfig config, BrokerConfig broker) {
        InetSocketAddress address = config.address();
        // Before Netty's first use in the process, which is here.
        NettyMemory.bound();
        BrokerPages pages = new BrokerPages(broker);
        try {
            return new MetricsEndpoint(PageServer.listen(THREAD, address, PageServer.Limits.defaults(), pages), pages);
        } catch (IOException e) {
            throw new BrokerException(
                    BrokerException.Code.CANNOT_LISTEN,
                    "metrics " + config + ": " + e.getMessage() + "; expected a free port of this host",
                    e);
        }
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.port();
    }

    /** Answers for this broker from now on. */
    public void watch(Broker broker) {
        pages.watch(broker::isRunning, broker::snapshot);
    }

    /** Answers from now on that the broker was asked to end. */
    public void stopping() {
        pages.stopping();
    }

    @Override
    public void close() {
        server.close();
    }
}
