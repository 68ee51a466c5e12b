package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a broker is: {@code host:port} or {@code ptcp://host:port?streams=4&tls=true&ca=FILE} over parallel TCP, {@code
 * tcp://host:port?tls=true} over one connection as any Artemis client makes it.
 *
 * @param parallel whether the connection is parallel TCP
 * @param streams number of streams of parallel TCP; 0, the default ({@code auto}), finds it
 * @param tls whether the connection is encrypted; never falls back to plain
 * @param ca PEM file of the authorities that the broker's certificate is checked against; empty for the system's
 * @param certificate PEM file of the client's key and certificate chain; empty for none
 * @param verifyHost whether the certificate must name the host, default true
 * @param proxy {@code http://host:port} of a proxy that parallel TCP goes through; empty for none
 */
public record BrokerUrl(
        String host,
        int port,
        boolean parallel,
        int streams,
        boolean tls,
        String ca,
        String certificate,
        boolean verifyHost,
        String proxy) {
    private static final String PARALLEL = "ptcp";
    private static final String PLAIN = "tcp";
    private static final String AUTO = "auto";
    private static final Set<String> TLS_KEYS = Set.of("ca", "cert", "verify-host");
    private static final Set<String> KEYS = Set.of("tls", "ca", "cert", "verify-host");
    private static final Set<String> PARALLEL_KEYS = Set.of("tls", "ca", "cert", "verify-host", "streams", "proxy");
    private static final Pattern PARTS = Pattern.compile("((?:[a-zA-Z]+://)?)([^?]*)((?:\\?.*)?)");
    private static final Pattern PLACE = Pattern.compile("(.+):([0-9]+)");

    /** A password may have every character that stands for something elsewhere. */
    private static final Pattern USER = Pattern.compile("(?s)(^|://)(?:(?!://).)*@");

    /** As a URL of Artemis's own has it. */
    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&]*");

    /** Where an @ stands for no user at the broker. */
    private static final Pattern NAMED = Pattern.compile("[?&](?:ca|cert|proxy)=[^&]*");

    private static final int MAX_PORT = 65535;

    /** Reads a URL; throws {@link IllegalArgumentException} with a line for a person when it is not one. */
    public static BrokerUrl parse(String text) {
        requireNoUser(text);
        URI uri;
        try {
            uri = new URI(text.matches("[a-zA-Z]+://.*") ? text : PARALLEL + "://" + text);
        } catch (URISyntaxException e) {
            throw invalid(text, "it does not parse: " + e.getReason());
        }
        boolean parallel = PARALLEL.equals(uri.getScheme());
        if (!parallel && !PLAIN.equals(uri.getScheme())) {
            throw invalid(text, "the scheme is " + uri.getScheme());
        }
        String place = String.valueOf(uri.getRawAuthority());
        if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > MAX_PORT) {
            throw invalid(text, badPlace(place));
        }
        if (uri.getRawPath().length() > 1 || uri.getRawFragment() != null) {
            throw invalid(text, "there is something behind the port");
        }
        Map<String, String> query = query(text, uri.getRawQuery(), parallel ? PARALLEL_KEYS : KEYS);
        // who asks for a certificate does not expect to speak in the clear
        if (!query.containsKey("tls") && query.keySet().stream().anyMatch(TLS_KEYS::contains)) {
            throw invalid(
                    text, "ca, cert and verify-host need tls=true, without which the connection is not encrypted");
        }
        String host = uri.getHost().replace("[", "").replace("]", "");
        return new BrokerUrl(
                host,
                uri.getPort(),
                parallel,
                streams(text, query.getOrDefault("streams", AUTO)),
                flag(text, query, "tls", false),
                query.getOrDefault("ca", ""),
                query.getOrDefault("cert", ""),
                flag(text, query, "verify-host", true),
                query.getOrDefault("proxy", ""));
    }

    /**
     * Reads the URL of one broker or of those that may stand in for each other: {@code host:port,host:port?tls=true}, with
     * one scheme and one set of parameters for all.
     */
    public static List<BrokerUrl> parseAll(String text) {
        requireNoUser(text);
        Matcher parts = PARTS.matcher(text);
        if (!parts.matches()) {
            throw invalid(text, "host or port is missing");
        }
        List<BrokerUrl> urls = new ArrayList<>();
        for (String place : parts.group(2).split(",", -1)) {
            if (place.isBlank()) {
                throw invalid(text, "host or port is missing");
            }
            if (place.contains("://")) {
                throw invalid(text, "a scheme stands in front of all places, once");
            }
            urls.add(parse(parts.group(1) + place.strip() + parts.group(3)));
        }
        return List.copyOf(urls);
    }

    /** Before anything else is looked at, whose refusal would show what of a password stands there. */
    private static void requireNoUser(String text) {
        if (NAMED.matcher(text).replaceAll("").contains("@")) {
            throw invalid(text, "it carries a user; give it apart");
        }
    }

    private static int streams(String text, String value) {
        if (value.equals(AUTO)) {
            return PtcpConfig.AUTO;
        }
        try {
            int streams = Integer.parseInt(value);
            if (streams >= 1 && streams <= PtcpConfig.MOST_STREAMS) {
                return streams;
            }
        } catch (NumberFormatException e) {
            // told below, with the same words as a number out of range
        }
        throw invalid(text, "streams is " + value + ", expected " + AUTO + " or 1.." + PtcpConfig.MOST_STREAMS);
    }

    private static Map<String, String> query(String text, String raw, Set<String> keys) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 && keys.contains(key)) {
                throw invalid(text, key + " has no value");
            }
            if (equals < 0 || !keys.contains(key)) {
                throw invalid(
                        text,
                        "unknown parameter " + key + "; known are "
                                + keys.stream().sorted().toList());
            }
            String value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
            if (query.putIfAbsent(key, value) != null) {
                throw invalid(text, key + " is given twice");
            }
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

    /** Java does not say what it dislikes, and takes a place with a port of eleven digits or an underscore for something else. */
    private static String badPlace(String place) {
        Matcher parts = PLACE.matcher(place);
        if (!parts.matches()) {
            return "host or port is missing";
        }
        boolean isPort = parts.group(2).matches("0*[1-9][0-9]{0,4}") && Integer.parseInt(parts.group(2)) <= MAX_PORT;
        return isPort
                ? "the host is " + parts.group(1)
                        + ", expected an address, of IPv6 in brackets, or a name of letters, digits, - and ."
                : "the port is " + parts.group(2) + ", expected 1.." + MAX_PORT;
    }

    /** Returns a URL, or what is none, without the passwords that it carries, for people. */
    public static String shown(String text) {
        return PASSWORD.matcher(USER.matcher(text).replaceAll("$1...@")).replaceAll("$1...");
    }

    private static IllegalArgumentException invalid(String text, String why) {
        return new IllegalArgumentException(
                "broker URL: expected HOST:PORT, ptcp://HOST:PORT?streams=4&tls=true or tcp://HOST:PORT, found "
                        + (text.isBlank() ? "none" : shown(text) + ": " + why));
    }

    /** Returns what a connector for parallel TCP is told. */
    public PtcpParameters parameters() {
        return new PtcpParameters(host, port, streams, tls, ca, certificate, verifyHost, proxy);
    }

    @Override
    public String toString() {
        return parameters().place() + (tls ? " (TLS)" : "");
    }
}
