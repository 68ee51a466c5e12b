package io.longhaul.broker;

import io.longhaul.ptcp.UnknownHost;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where a broker is to listen, looked up before it does. */
public final class ListenAddress {
    private ListenAddress() {}

    /**
     * Returns the addresses of a host.
     *
     * @param where what is to listen there, with host and port
     * @throws BrokerException {@code CANNOT_LISTEN} when it has none: a name server may be away while a machine starts
     */
    public static InetAddress[] lookUp(String where, String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new BrokerException(BrokerException.Code.CANNOT_LISTEN, where + ": " + UnknownHost.words(host), e);
        }
    }
}
