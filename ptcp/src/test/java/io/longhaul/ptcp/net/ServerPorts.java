package io.longhaul.ptcp.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that must know theirs before they start, or that are started again; none of those that the system gives
 * to connections: one of whoever dials meanwhile could have it then, even the very port that it dials.
 */
public final class ServerPorts {
    private static final int FIRST = 30_000;
    private static final int COUNT = 2_700;

    /** Begins elsewhere in each process: several test runs may go on at a time. */
    private static final AtomicInteger GIVEN =
            new AtomicInteger((int) ProcessHandle.current().pid() * 37);

    private ServerPorts() {}

    /** Returns a port of the loopback interface that nobody listens on and that was not given away for long. */
    public static int free() throws IOException {
        IOException last = new IOException("none tried");
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + Math.floorMod(GIVEN.getAndIncrement(), COUNT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }
}
