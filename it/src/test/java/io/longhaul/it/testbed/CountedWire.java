package io.longhaul.it.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A stretch of network in front of a port, which counts the bytes that pass, whatever process at either end is killed
 * meanwhile; and lets no more pass than it is told, so that a transfer stays on its way for as long as a test looks at it.
 */
public final class CountedWire {
    private static final int BUFFER_BYTES = 256 * 1024;

    private final ServerSocket entrance;
    private final String target;
    private long bytes; // guarded by this
    private long most = Long.MAX_VALUE; // guarded by this

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
            testbed.atClose(() -> {
                close(wire.entrance);
                wire.goOn();
            });
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
    public synchronized long bytes() {
        return bytes;
    }

    /** Lets so many more bytes pass, or a buffer or two beyond, and holds back what comes then. */
    public synchronized void holdBehind(long more) {
        most = bytes + more;
        notifyAll();
    }

    /** Lets everything pass. */
    public synchronized void goOn() {
        most = Long.MAX_VALUE;
        notifyAll();
    }

    private synchronized void pass(int length) throws InterruptedException {
        while (bytes >= most) {
            wait();
        }
        bytes += length;
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
                pass(length);
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // one of the ends is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
