package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Copies a file of this machine to a back end; waits for it. */
final class ServerCopy {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int AHEAD = 8;

    private ServerCopy() {}

    /** Stores a file in place of any other; throws {@link BackendException} or what carries one. */
    static void store(Path file, Backend server, FilePath path) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long length = channel.size();
            WriteRequest request =
                    new WriteRequest(path, WriteRequest.Kind.REPLACE, length, List.of(), Optional.empty());
            Sink sink = server.write(request).join();
            boolean isWritten = false;
            try {
                write(channel, length, sink);
                isWritten = true;
            } finally {
                if (!isWritten) {
                    sink.abort();
                }
            }
            Entry entry = sink.commit(done -> {}).join();
            if (entry.length() != length) {
                throw new BackendException(
                        Code.FAILED, path + ": expected " + length + " bytes at the server, found " + entry.length());
            }
        }
    }

    private static void write(FileChannel channel, long length, Sink sink) throws IOException {
        Deque<CompletableFuture<Void>> writing = new ArrayDeque<>();
        for (long at = 0; at < length; at += BLOCK_BYTES) {
            if (writing.size() >= AHEAD) {
                writing.remove().join();
            }
            writing.add(sink.write(at, block(channel, at, (int) Math.min(BLOCK_BYTES, length - at))));
        }
        for (CompletableFuture<Void> each : writing) {
            each.join();
        }
    }

    private static ByteBuf block(FileChannel channel, long at, int length) throws IOException {
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        boolean isFull = false;
        try {
            while (bytes.isWritable()) {
                if (bytes.writeBytes(channel, at + bytes.writerIndex(), bytes.writableBytes()) < 0) {
                    throw new IOException("it became shorter");
                }
            }
            isFull = true;
            return bytes;
        } finally {
            if (!isFull) {
                bytes.release();
            }
        }
    }
}
