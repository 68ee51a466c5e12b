package io.longhaul.it.bench.floor;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is written once from its beginning to its end: past the page cache but for what is no whole unit, as Longhaul does. */
public final class ReceivedFile implements AutoCloseable {
    private static final int UNIT = 64 * 1024;

    private final FileChannel cached;
    private final FileChannel direct;

    public ReceivedFile(Path path) throws IOException {
        cached = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        direct = FileChannel.open(path, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
    }

    /** Returns memory for one piece, of which {@link #write} can write. */
    public static ByteBuffer memory() {
        return ByteBuffer.allocateDirect(FloorLink.PIECE_BYTES + UNIT).alignedSlice(UNIT);
    }

    /** Writes what such memory has from its beginning to its limit. */
    public void write(ByteBuffer piece, long offset) throws IOException {
        int end = piece.limit();
        int whole = offset % UNIT == 0 ? end / UNIT * UNIT : 0;
        put(direct, piece.position(0).limit(whole), offset);
        put(cached, piece.limit(end), offset + whole);
    }

    private static void put(FileChannel file, ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    public void force(boolean metadata) throws IOException {
        cached.force(metadata);
    }

    @Override
    public void close() throws IOException {
        direct.close();
        cached.close();
    }
}
