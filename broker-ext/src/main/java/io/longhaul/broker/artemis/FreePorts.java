package io.longhaul.broker.artemis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Looks before the start whether its ports are free. */
final class FreePorts {
    private FreePorts() {}

    /** A taken port is told before anything is made on disk, and without the server's own report of it. */
    static void check(ServerSettings settings) throws ServerException {
        for (ServerSettings.Listening listening : settings.acceptors()) {
            HostPort address = listening.address();
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(address.host(), address.port()));
            } catch (IOException e) {
                throw cannotListen(address + ": " + e.getMessage(), e);
            }
        }
    }

    static ServerException cannotListen(String where, Exception cause) {
        return new ServerException(
                ServerException.Kind.CANNOT_LISTEN, "listen " + where + "; expected a free port of this host", cause);
    }
}
