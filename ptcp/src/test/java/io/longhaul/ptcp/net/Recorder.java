package io.longhaul.ptcp.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between opener and acceptor, listens, and adds bytes of its own when told to. */
final class Recorder implements AutoCloseable {
    private static final int MOST_KEPT = 64 * 1024;
    private final ServerSocket server;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private volatile int target;

    /** One connection, and what its opener said first. */
    static final class Line {
        private final Socket near;
        private final Socket far;
        private final ByteArrayOutputStream said = new ByteArrayOutputStream(); // guarded by this

        private Line(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        private synchronized void pass(byte[] bytes, int length, boolean keep) throws IOException {
            if (keep && said.size() < MOST_KEPT) {
                said.write(bytes, 0, length);
            }
            far.getOutputStream().write(bytes, 0, length);
        }

        synchronized byte[] said() {
            return said.toByteArray();
        }

        /** Says something to the acceptor in the opener's name. */
        void inject(byte[] bytes) throws IOException {
            pass(bytes, bytes.length, false);
        }

        /** Ends it at both ends. */
        void cut() {
            try (near;
                    far) {
                near.setSoLinger(true, 0);
                far.setSoLinger(true, 0);
            } catch (IOException e) {
                // closed already
            }
        }
    }

    Recorder() throws IOException {
        server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    }

    /** Begins to pass connections on; returns the port to connect to. */
    int to(int port) {
        target = port;
        start(this::accept);
        return server.getLocalPort();
    }

    /** Returns the connections of whatever kind, the oldest first. */
    List<Line> lines() {
        return List.copyOf(lines);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "test-recorder");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                pass(server.accept());
            }
        } catch (IOException e) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void pass(Socket near) throws IOException {
        Socket far = new Socket();
        try {
            far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        } catch (IOException e) {
            near.close(); // the acceptor is gone
            return;
        }
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        Line line = new Line(near, far);
        lines.add(line);
        start(() -> there(line));
        start(() -> back(line));
    }

    private static void there(Line line) {
        byte[] buffer = new byte[MOST_KEPT];
        try {
            for (int length = line.near.getInputStream().read(buffer);
                    length >= 0;
                    length = line.near.getInputStream().read(buffer)) {
                line.pass(buffer, length, true);
            }
        } catch (IOException e) {
            // cut
        }
        line.cut();
    }

    private static void back(Line line) {
        byte[] buffer = new byte[MOST_KEPT];
        try {
            OutputStream out = line.near.getOutputStream();
            for (int length = line.far.getInputStream().read(buffer);
                    length >= 0;
                    length = line.far.getInputStream().read(buffer)) {
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // cut
        }
        line.cut();
    }

    @Override
    public void close() throws IOException {
        server.close();
        lines.forEach(Line::cut);
    }
}
