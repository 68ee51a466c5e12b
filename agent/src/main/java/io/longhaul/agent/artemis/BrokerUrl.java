package io.longhaul.agent.artemis;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where a broker is: {@code host:port} or {@code tcp://host:port?tls=true&ca=FILE&verify-host=false}.
 *
 * @param tls whether the connection is encrypted; never falls back to plain
 * @param ca PEM file of the authorities that the broker's certificate is checked against; empty for the system's
 * @param certificate PEM file of the client's key and certificate chain; empty for none
 * @param verifyHost whether the certificate must name the host, default true
 */
record BrokerUrl(String host, int port, boolean tls, String ca, String certificate, boolean verifyHost) {
    private static final Set<String> KEYS = Set.of("tls", "ca", "cert", "verify-host");
    private static final int MAX_PORT = 65535;

    /** Reads a URL; throws {@link IllegalArgumentException} with a line for a person when it is not one. */
    static BrokerUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text.contains("://") ? text : "tcp://" + text);
        } catch (URISyntaxException e) {
            throw invalid(text, "it does not parse: " + e.getReason());
        }
        if (!"tcp".equals(uri.getScheme())) {
            throw invalid(text, "the scheme is " + uri.getScheme());
        }
        if (uri.getUserInfo() != null) {
            throw invalid("tcp://...@" + uri.getHost(), "it carries a user; give it apart");
        }
        if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > MAX_PORT) {
            throw invalid(text, "host or port is missing");
        }
        Map<String, String> query = query(text, uri.getRawQuery());
        String host = uri.getHost().replace("[", "").replace("]", "");
        return new BrokerUrl(
                host,
                uri.getPort(),
                flag(text, query, "tls", false),
                query.getOrDefault("ca", ""),
                query.getOrDefault("cert", ""),
                flag(text, query, "verify-host", true));
    }

    private static Map<String, String> query(String text, String raw) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw invalid(
                        text,
                        "unknown parameter " + key + "; known are "
                                + KEYS.stream().sorted().toList());
            }
            query.put(key, URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    private static boolean flag(String text, Map<String, String> query, String key, boolean otherwise) {
        String value = query.getOrDefault(key, Boolean.toString(otherwise));
        if (!value.equals("true") && !value.equals("false")) {
            throw invalid(text, key + " is " + value + ", expected true or false");
        }
        return value.equals("true");
    }

    private static IllegalArgumentException invalid(String text, String why) {
        return new IllegalArgumentException(
                "broker URL: expected HOST:PORT or tcp://HOST:PORT?tls=true, found " + text + ": " + why);
    }

    @Override
    public String toString() {
        return host + ":" + port + (tls ? " (TLS)" : "");
    }
}
