package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.net.ClientTls;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.proxy.HttpProxy;
import io.longhaul.ptcp.proxy.HttpProxySession;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The parameters of a {@code TransportConfiguration} for parallel TCP: simple values, since brokers send them to each
 * other.
 *
 * @param host name or address of the acceptor
 * @param port its port
 * @param streams number of streams, 0 to find it
 * @param tls whether every stream is encrypted
 * @param ca PEM file of trusted authorities; empty for the system's
 * @param certificate PEM file of key and certificate chain of this end; empty for none
 * @param verifyHost whether the acceptor's certificate must name the host
 * @param proxy {@code http://host:port} of a proxy to go through; empty for none. Its user and password are in the
 *     environment, {@code LONGHAUL_PROXY_USER} and {@code LONGHAUL_PROXY_PASSWORD}
 */
public record PtcpParameters(
        String host,
        int port,
        int streams,
        boolean tls,
        String ca,
        String certificate,
        boolean verifyHost,
        String proxy) {
    private static final String HOST = "host";
    private static final String PORT = "port";
    private static final String STREAMS = "streams";
    private static final String TLS = "tls";
    private static final String CA = "ca";
    private static final String CERT = "cert";
    private static final String VERIFY_HOST = "verifyHost";
    private static final String PROXY = "proxy";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    static final Set<String> KEYS = Set.of(HOST, PORT, STREAMS, TLS, CA, CERT, VERIFY_HOST, PROXY);

    /** Reads them; a missing value has its default, an odd one throws {@link IllegalArgumentException}. */
    public static PtcpParameters of(Map<String, Object> map) {
        return new PtcpParameters(
                text(map, HOST, "localhost"),
                number(map, PORT),
                number(map, STREAMS),
                Boolean.parseBoolean(text(map, TLS, "false")),
                text(map, CA, ""),
                text(map, CERT, ""),
                Boolean.parseBoolean(text(map, VERIFY_HOST, "true")),
                text(map, PROXY, ""));
    }

    private static String text(Map<String, Object> map, String key, String otherwise) {
        Object value = map.get(key);
        return value == null ? otherwise : value.toString();
    }

    private static int number(Map<String, Object> map, String key) {
        String value = text(map, key, "0");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + ": expected a whole number, found " + value, e);
        }
    }

    /** Returns what {@link #of} reads. */
    public Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(HOST, host);
        map.put(PORT, port);
        map.put(STREAMS, streams);
        map.put(TLS, tls);
        map.put(CA, ca);
        map.put(CERT, certificate);
        map.put(VERIFY_HOST, verifyHost);
        map.put(PROXY, proxy);
        return map;
    }

    /**
     * Returns where a session goes; throws {@link IllegalArgumentException} for a bad proxy or bad files.
     *
     * @param environment where user and password of the proxy are
     * @param names where names are looked up, which blocks
     */
    public PtcpClient.Target target(Map<String, String> environment, Executor names) {
        return new PtcpClient.Target(host, port, clientTls(), proxySession(environment, names));
    }

    /** Returns where it is, as messages name it. */
    public String place() {
        return PtcpClient.Target.plain(host, port).toString();
    }

    boolean isSameAddress(PtcpParameters other) {
        return host.equals(other.host) && port == other.port;
    }

    /** Returns how the session behaves. */
    public PtcpConfig config() {
        PtcpConfig defaults = PtcpConfig.defaults();
        return defaults.withStreams(streams)
                .withLimits(CONNECT, defaults.stallLimit(), defaults.restoreLimit(), defaults.keepAlive());
    }

    /** Returns the way through the proxy; empty for none. Throws {@link IllegalArgumentException} for a bad URL. */
    private Optional<HttpProxySession> proxySession(Map<String, String> environment, Executor names) {
        if (proxy.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(HttpProxySession.of(HttpProxy.parse(proxy, environment), names));
    }

    /** Returns how to encrypt; empty for plain connections. Throws {@link IllegalArgumentException} for bad files. */
    private Optional<ClientTls> clientTls() {
        return tls ? Optional.of(ClientTls.ofFiles(ca, certificate, verifyHost)) : Optional.empty();
    }
}
