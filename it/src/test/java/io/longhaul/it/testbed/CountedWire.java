package io.longhaul.it.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

/**
 * A stretch of network in front of a port, which counts the bytes that pass, whatever process at either end is killed
 * meanwhile.
 */
public final class CountedWire {
    private static final int BUFFER_BYTES = 256 * 1024;

    private final ServerSocket entrance;
    private final String target;
    private final LongAdder bytes = new LongAdder();

    private CountedWire(ServerSocket entrance, String target) {
        this.entrance = entrance;
        this.target = target;
    }

    /**
     * Opens one, which lasts as long as the testbed.
     *
     * @param target HOST:PORT; need not listen yet
     */
    public static CountedWire open(Testbed testbed, String target) {
        try {
            CountedWire wire = new CountedWire(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()), target);
            testbed.atClose(() -> close(wire.entrance));
            background("accepts", wire::accept);
            return wire;
        } catch (IOException e) {
            throw new UncheckedIOException("no port to listen on", e);
        }
    }

    /** Returns HOST:PORT of the near end. */
    public String address() {
        return "127.0.0.1:" + entrance.getLocalPort();
    }

    /** Returns how many bytes have passed, both ways. */
    public long bytes() {
        return bytes.sum();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = entrance.accept();
                background("connects", () -> join(near));
            }
        } catch (IOException e) {
            // the testbed is closed
        }
    }

    private void join(Socket near) {
        int colon = target.lastIndexOf(':');
        try {
            Socket far = new Socket(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
            background("there", () -> pump(near, far));
            pump(far, near);
        } catch (IOException e) {
            close(near);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                bytes.add(length);
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // one of the ends is gone
        } finally {
            close(to);
            close(from);
        }
    }

    private static void background(String what, Runnable task) {
        Thread thread = new Thread(task, "it-wire-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Closeable end) {
        try {
            end.close();
        } catch (IOException e) {
            throw new UncheckedIOException(end + ": cannot be closed", e);
        }
    }
}
