package io.longhaul.broker.users;

/**
 * The host that somebody comes from, in one spelling: failed logins of a host are counted together, whatever transport they
 * came by.
 */
public final class RemoteHost {
    private RemoteHost() {}

    /** Returns the host of an address as sockets and transports write it, such as {@code name/192.0.2.7:7400}. */
    public static String of(String address) {
        String place = address.substring(address.indexOf('/') + 1);
        int port = place.lastIndexOf(':');
        String host = port < 0 ? place : place.substring(0, port);
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
