package io.longhaul.ptcp.proxy;

import java.util.Locale;
import java.util.Map;

/**
 * A proxy that opens tunnels by CONNECT, and what to log in there with.
 *
 * @param host its name or address, without brackets
 * @param port 1 to 65535
 * @param user who logs in; empty for nobody; without colon and control characters (RFC 7617 section 2)
 * @param password without control characters
 */
public record HttpProxy(String host, int port, String user, String password) {
    private static final String SCHEME = "http://";
    private static final String USER = "LONGHAUL_PROXY_USER";
    private static final String PASSWORD = "LONGHAUL_PROXY_PASSWORD";

    /** Refuses what could not be sent; its messages show neither user nor password. */
    public HttpProxy {
        Authority.check(host, port);
        if (user.indexOf(':') >= 0 || user.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("user of a proxy: expected neither colon nor control characters");
        }
        if (password.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("password of a proxy: expected no control characters");
        }
    }

    /**
     * Reads {@code http://host:port}, an address of version 6 in brackets. Credentials are refused there, because a URL
     * ends up in process lists, logs and shell histories.
     */
    public static HttpProxy parse(String url) {
        if (url.indexOf('@') >= 0) {
            throw new IllegalArgumentException("URL of a proxy: expected http://host:port, found credentials in it;"
                    + " they belong into " + USER + " and " + PASSWORD);
        }
        if (!url.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw unexpected(url);
        }
        String place = url.substring(SCHEME.length());
        if (place.endsWith("/")) {
            place = place.substring(0, place.length() - 1);
        }
        int colon = place.lastIndexOf(':');
        String host = colon < 0 ? place : place.substring(0, colon);
        if (colon < 0 || Authority.bare(host).equals(host) && host.indexOf(':') >= 0) {
            throw unexpected(url);
        }
        try {
            return new HttpProxy(Authority.bare(host), Integer.parseInt(place.substring(colon + 1)), "", "");
        } catch (NumberFormatException e) {
            throw unexpected(url);
        }
    }

    /** Reads a URL as {@link #parse} does, and user and password from the environment, where both may be missing. */
    public static HttpProxy parse(String url, Map<String, String> environment) {
        return parse(url).withCredentials(environment.getOrDefault(USER, ""), environment.getOrDefault(PASSWORD, ""));
    }

    private static IllegalArgumentException unexpected(String url) {
        return new IllegalArgumentException(
                "URL of a proxy: expected http://host:port, an IPv6 address in brackets, found " + Printable.of(url));
    }

    /** Returns the same proxy with something to log in there with; an empty user stands for nobody. */
    public HttpProxy withCredentials(String newUser, String newPassword) {
        return new HttpProxy(host, port, newUser, newPassword);
    }

    /** Returns host and port alone: messages and logs are made from it. */
    @Override
    public String toString() {
        return Authority.of(host, port);
    }
}
