package io.longhaul.broker;

import io.longhaul.ptcp.UnknownHost;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where a broker is to listen, looked at before it does. */
public final class ListenAddress {
    private ListenAddress() {}

    /**
     * Looks whether a host has addresses, and only such of this machine alone unless any will do.
     *
     * @param where what is to listen there, with host and port
     * @param why they must be of loopback
     * @param instead what to do when they are not
     * @throws BrokerException {@code BAD_CONFIG} when one is beyond loopback; {@code CANNOT_LISTEN} when there is none: a name
     *     server may be away while a machine starts
     */
    public static void check(String where, String host, boolean anywhere, String why, String instead) {
        for (InetAddress found : lookUp(where, host)) {
            if (!anywhere && !found.isLoopbackAddress()) {
                throw new BrokerException(
                        BrokerException.Code.BAD_CONFIG,
                        where + ": expected a loopback address because " + why + ", found " + found.getHostAddress()
                                + "; " + instead);
            }
        }
    }

    private static InetAddress[] lookUp(String where, String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new BrokerException(BrokerException.Code.CANNOT_LISTEN, where + ": " + UnknownHost.words(host), e);
        }
    }
}
