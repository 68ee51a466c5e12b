package io.longhaul.ptcp.proxy;

import io.netty.util.NetUtil;

/** The {@code host:port} of a request line (RFC 9112 section 3.2.3), and what may stand in it. */
final class Authority {
    private static final int HOST_CHARACTERS = 255;
    private static final int LAST_PORT = 65_535;

    private Authority() {}

    /** Returns the two as one, a version 6 address in brackets; refuses what would break out of a request line. */
    static String of(String host, int port) {
        check(host, port);
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }

    static void check(String host, int port) {
        boolean known = host.indexOf(':') < 0 ? isName(host) : NetUtil.isValidIpV6Address(host) && !host.contains("%");
        if (!known) {
            throw new IllegalArgumentException("host: expected a name of letters, digits, '-', '.' and '_' (others in"
                    + " their xn-- form) or an address, found " + Printable.of(host));
        }
        if (port < 1 || port > LAST_PORT) {
            throw new IllegalArgumentException("port of " + host + ": expected 1 to " + LAST_PORT + ", found " + port);
        }
    }

    private static boolean isName(String host) {
        return !host.isEmpty()
                && host.length() <= HOST_CHARACTERS
                && host.chars().allMatch(c -> Printable.isAlphanumeric(c) || c == '-' || c == '.' || c == '_');
    }

    /** Returns an address without the brackets that a URL puts around it. */
    static String bare(String host) {
        return host.length() > 2 && host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }
}
