package io.longhaul.gridftp.front;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A client that receives extended blocks. */
final class BlockSink implements AutoCloseable {
    private final byte[] bytes;
    private final List<Socket> connections = new ArrayList<>();
    private long expectedEnds;
    private int ends;

    BlockSink(int length) {
        this.bytes = new byte[length];
    }

    /** Reads until every connection has sent its part; they are small enough to be read one after the other. */
    void read(List<Socket> opened) throws IOException {
        connections.addAll(opened);
        for (Socket connection : opened) {
            connection.setSoTimeout(20_000);
            DataInputStream in = new DataInputStream(connection.getInputStream());
            int descriptor = 0;
            while ((descriptor & 0x08) == 0) {
                descriptor = in.readUnsignedByte();
                long count = in.readLong();
                long offset = in.readLong();
                if ((descriptor & 0x40) != 0) {
                    expectedEnds = offset;
                }
                in.readFully(bytes, (descriptor & 0x40) == 0 ? (int) offset : 0, (int) count);
            }
            ends++;
        }
    }

    void readAgain() throws IOException {
        Arrays.fill(bytes, (byte) 0);
        List<Socket> same = List.copyOf(connections);
        connections.clear();
        read(same);
    }

    byte[] bytes() {
        return bytes;
    }

    long expectedEnds() {
        return expectedEnds;
    }

    int ends() {
        return ends;
    }

    @Override
    public void close() throws IOException {
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
