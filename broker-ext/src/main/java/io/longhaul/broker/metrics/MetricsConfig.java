package io.longhaul.broker.metrics;

import io.longhaul.broker.BrokerException;
import io.longhaul.broker.ListenAddress;
import java.net.InetSocketAddress;

/**
 * Where a broker's metrics are served.
 *
 * @param host name or address, without brackets
 * @param port 0 takes a free one
 * @param anywhere whether an address beyond loopback may be listened on, default false: there is no login and no TLS, so
 *     whoever reaches the port reads the names of topics and subscriptions
 */
public record MetricsConfig(String host, int port, boolean anywhere) {
    /** Returns a place that must be on loopback. */
    public static MetricsConfig of(String host, int port) {
        return new MetricsConfig(host, port, false);
    }

    /** Returns the address; throws {@link BrokerException} when it has none, or one beyond loopback that must not be. */
    InetSocketAddress address() {
        ListenAddress.check(
                "metrics " + this,
                host,
                anywhere,
                "metrics have no login",
                "give --metrics-anywhere or take 127.0.0.1");
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
