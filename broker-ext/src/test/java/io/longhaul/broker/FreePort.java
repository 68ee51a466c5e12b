package io.longhaul.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port of loopback at which nobody listens. */
public final class FreePort {
    private FreePort() {}

    /** Returns one that was free a moment ago. */
    public static int find() throws IOException {
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return port.getLocalPort();
        }
    }
}
