package io.longhaul.it.bench.plane;

import io.longhaul.it.bench.floor.FloorBroker;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A broker, and bytes in files beside it. Arguments: port of the broker, directory; the depot's port is the next one.
 *
 * <p>As the journal, it writes the same pages again and again: the next transfer's bytes go where the last one's were, and one
 * is on its way at a time.
 *
 * <p>A connection begins with {@code P} or {@code G}. Put: offset (8), length (4), bytes, again and again;
 * the answer is the number of bytes (8) that have been forced so far, whenever it grows. Get: offset (8), length (4); the
 * answer is the bytes.
 */
public final class Depot {
    static final int PUT = 'P';
    static final int GET = 'G';

    private final Path directory;

    private Depot(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Path data = Path.of(arguments[1]);
        FloorBroker.start(port, data);
        Depot depot = new Depot(Files.createDirectories(data.resolve("depot")));
        try (ServerSocketChannel door = ServerSocketChannel.open()) {
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + 1));
            System.out.println("{\"event\":\"ready\"}");
            int number = 0;
            while (true) {
                SocketChannel socket = door.accept();
                new Thread(() -> depot.serve(socket), "depot-connection-" + ++number).start();
            }
        }
    }

    private void serve(SocketChannel socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.socket().getInputStream());
            int what = in.readUnsignedByte();
            Path file = directory.resolve("bytes");
            if (what == PUT) {
                put(socket, in, file);
            } else {
                get(socket, in, file);
            }
        } catch (EOFException e) {
            // the other end is done
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void put(SocketChannel socket, DataInputStream in, Path path) throws IOException {
        AtomicLong written = new AtomicLong();
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Thread forcing = new Thread(() -> force(socket, file, written), "depot-force-1");
            forcing.start();
            ByteBuffer piece = ByteBuffer.allocateDirect(Wire.PIECE_BYTES);
            try {
                while (true) {
                    long offset = in.readLong();
                    piece.clear().limit(in.readInt());
                    Wire.fill(socket, piece);
                    int length = piece.flip().limit();
                    while (piece.hasRemaining()) {
                        file.write(piece, offset + piece.position());
                    }
                    written.addAndGet(length);
                    LockSupport.unpark(forcing);
                }
            } finally {
                forcing.interrupt();
            }
        }
    }

    private static void force(SocketChannel socket, FileChannel file, AtomicLong written) {
        long forced = 0;
        try {
            DataOutputStream out = new DataOutputStream(socket.socket().getOutputStream());
            while (!Thread.currentThread().isInterrupted()) {
                long now = written.get();
                if (now == forced) {
                    LockSupport.park();
                } else {
                    file.force(false);
                    out.writeLong(now);
                    out.flush();
                    forced = now;
                }
            }
        } catch (IOException e) {
            // the other end is gone, and with it who waits for an answer
        }
    }

    private static void get(SocketChannel socket, DataInputStream in, Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path)) {
            while (true) {
                long offset = in.readLong();
                long end = offset + in.readInt();
                while (offset < end) {
                    offset += file.transferTo(offset, end - offset, socket);
                }
            }
        }
    }
}
