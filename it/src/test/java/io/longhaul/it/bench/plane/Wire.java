package io.longhaul.it.bench.plane;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** What both ends of a connection to the depot do. */
final class Wire {
    static final int PIECE_BYTES = 1024 * 1024;
    static final int HEADER_BYTES = 12;

    private Wire() {}

    /** Connects, and says what for. */
    static SocketChannel connect(int port, int what) throws IOException {
        SocketChannel socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        drain(socket, ByteBuffer.allocate(1).put((byte) what).flip());
        return socket;
    }

    static void fill(SocketChannel socket, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (socket.read(bytes) < 0) {
                throw new EOFException();
            }
        }
    }

    static void drain(SocketChannel socket, ByteBuffer... bytes) throws IOException {
        while (bytes[bytes.length - 1].hasRemaining()) {
            socket.write(bytes);
        }
    }
}
