package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Ports of the loopback interface for the processes of tests; below those that the system gives to connections.
 *
 * <p>Several test runs may go on at a time. Each has a slice of its own, claimed for as long as its process lives by
 * listening on the slice's first port, and gives each of the others away once before it begins again. Thread-safe.
 */
public final class Ports {
    private static final int FIRST = 10_000;
    private static final int LAST = 30_000;
    private static final int SLICE = 500;
    private static final Ports OF_THIS_PROCESS = claim();

    /** Open for as long as the slice is taken. */
    private final ServerSocket claim;

    private int given; // guarded by this

    private Ports(ServerSocket claim) {
        this.claim = claim;
    }

    private static Ports claim() {
        for (int first = FIRST; first < LAST; first += SLICE) {
            try {
                return new Ports(listen(first));
            } catch (IOException e) {
                // another run's, or a port that somebody else listens on
            }
        }
        throw new IllegalStateException("no slice of ports from " + FIRST + " to " + LAST + " is free");
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    /** Returns a port that nobody listens on and that was not given away for long. */
    public static int free() {
        return OF_THIS_PROCESS.next();
    }

    private synchronized int next() {
        IOException last = new IOException("none tried");
        for (int tried = 1; tried < SLICE; tried++) {
            given = given % (SLICE - 1) + 1;
            try (ServerSocket socket = listen(claim.getLocalPort() + given)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                last = e;
            }
        }
        throw new UncheckedIOException("no free port from " + claim.getLocalPort() + " on", last);
    }
}
