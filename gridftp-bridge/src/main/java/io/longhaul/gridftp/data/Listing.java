package io.longhaul.gridftp.data;

import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Lines as a file that is read; each ends with one CR LF, whatever TYPE is. */
public final class Listing implements Source {
    private static final int BLOCK_BYTES = 64 * 1024;

    private final ByteBuf text;
    private int position;

    /** Takes lines without their ends; a name that has one in it would be several, and tell of files that are not there. */
    public Listing(List<String> lines) {
        StringBuilder joined = new StringBuilder();
        lines.forEach(line ->
                joined.append(line.replace('\r', '?').replace('\n', '?')).append("\r\n"));
        this.text = Unpooled.wrappedBuffer(joined.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public CompletableFuture<Optional<Block>> next() {
        int length = Math.min(BLOCK_BYTES, text.readableBytes());
        if (length == 0) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Block block = new Block(position, text.readRetainedSlice(length));
        position += length;
        return CompletableFuture.completedFuture(Optional.of(block));
    }

    @Override
    public void close() {
        // on the heap
    }
}
