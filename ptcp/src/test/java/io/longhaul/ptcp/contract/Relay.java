package io.longhaul.ptcp.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stands between opener and acceptor and does to each TCP connection what networks do: cuts what passes into pieces of
 * random length, delays each by a random time, resets connections, lets them stand still. Repeatable by its seed, as far
 * as threads are.
 */
public final class Relay implements AutoCloseable {
    private static final int BUFFER = 256 * 1024;
    private final ServerSocket server;
    private final int target;
    private final int mostChunk;
    private final long mostDelayNs;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final AtomicInteger opened = new AtomicInteger();
    private volatile boolean refusing;

    private volatile Wiretap wiretap = (line, there, bytes) -> {};

    /** Hears what passes; called by one thread per line and direction. */
    @FunctionalInterface
    interface Wiretap {
        void heard(int line, boolean there, byte[] bytes);
    }

    /** One connection and its continuation. */
    public final class Line {
        private final int number;
        private final Socket near;
        private final Socket far;
        private volatile boolean stalled;

        private Line(int number, Socket near, Socket far) {
            this.number = number;
            this.near = near;
            this.far = far;
        }

        /** The first connection of a session carries control frames. */
        int number() {
            return number;
        }

        /** Ends it with a reset at both ends; nothing that was on its way arrives. */
        public void reset() {
            lines.remove(this);
            for (Socket socket : List.of(near, far)) {
                try {
                    socket.setSoLinger(true, 0);
                    socket.close();
                } catch (IOException e) {
                    // closed already
                }
            }
        }

        /** Lets nothing pass any more, and tells nobody. */
        void stall() {
            stalled = true;
        }
    }

    public Relay(int target, int mostChunk, long mostDelayNs) throws IOException {
        this.target = target;
        this.mostChunk = mostChunk;
        this.mostDelayNs = mostDelayNs;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    void setWiretap(Wiretap tap) {
        wiretap = tap;
    }

    public List<Line> lines() {
        return new ArrayList<>(lines);
    }

    /** Resets new connections at once, or lets them pass again. */
    public void setRefusing(boolean value) {
        refusing = value;
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "test-relay-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                if (refusing) {
                    near.setSoLinger(true, 0);
                    near.close();
                    continue;
                }
                Socket far = dial();
                if (far == null) {
                    near.close();
                    continue;
                }
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                int number = opened.incrementAndGet();
                Line line = new Line(number, near, far);
                lines.add(line);
                start(number + "-there", () -> pump(line, near, far, new SplittableRandom(2L * number)));
                start(number + "-back", () -> pump(line, far, near, new SplittableRandom(2L * number + 1)));
            }
        } catch (IOException e) {
            if (!server.isClosed()) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Returns null when nobody listens there for the moment. */
    private @Nullable Socket dial() throws IOException {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (ConnectException e) {
            return null;
        }
    }

    private void pump(Line line, Socket from, Socket to, SplittableRandom random) {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            int length = in.read(buffer, 0, 1 + random.nextInt(mostChunk));
            while (length >= 0) {
                if (mostDelayNs > 0) {
                    LockSupport.parkNanos(random.nextLong(mostDelayNs));
                }
                while (line.stalled && !from.isClosed()) {
                    LockSupport.parkNanos(1_000_000);
                }
                wiretap.heard(line.number, from == line.near, Arrays.copyOf(buffer, length));
                out.write(buffer, 0, length);
                length = in.read(buffer, 0, 1 + random.nextInt(mostChunk));
            }
            to.shutdownOutput();
        } catch (SocketException e) {
            line.reset();
        } catch (IOException e) {
            line.reset();
        }
        if (from.isClosed() || to.isClosed()) {
            lines.remove(line);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        lines().forEach(Line::reset);
    }
}
