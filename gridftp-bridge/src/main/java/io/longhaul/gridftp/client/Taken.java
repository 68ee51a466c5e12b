package io.longhaul.gridftp.client;

import io.longhaul.gridftp.spi.BackendException;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * Bytes that are to be sent.
 *
 * @param position of the first one in the file
 * @param bytes released when they are sent
 * @param sent told of it
 */
record Taken(long position, ByteBuf bytes, CompletableFuture<Void> sent) {
    long end() {
        return position + bytes.readableBytes();
    }

    /** They are not sent. */
    void drop(BackendException why) {
        bytes.release();
        sent.completeExceptionally(why);
    }
}
