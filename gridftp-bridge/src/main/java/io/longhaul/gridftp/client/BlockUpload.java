package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.BlockHeader;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.List;

/** MODE E: blocks as they come, each over whatever connection takes it first. */
public final class BlockUpload extends Upload {
    private final long origin;
    private final ByteRanges sent = new ByteRanges();

    private BlockUpload(String what, Session session, long origin, List<ByteRange> present) {
        super(what, session);
        this.origin = origin;
        present.forEach(range -> sent.add(range.start(), range.end()));
        present(present);
    }

    /**
     * Begins; may wait.
     *
     * @param what names it in failures
     * @param connections of data
     * @param commands the last of which takes the bytes
     */
    public static Upload begin(String what, Session session, Extent extent, int connections, List<String> commands) {
        if (!session.mode(true)) {
            throw new BackendException(Code.UNSUPPORTED, what + ": the server refuses MODE E");
        }
        BlockUpload upload = new BlockUpload(what, session, extent.origin(), extent.present());
        upload.begin(connections, commands);
        return upload;
    }

    /**
     * What of a file the server has and counts from.
     *
     * @param origin the position that is 0 to the server
     * @param present what the server has already, and is not to be filled with zeros
     */
    public record Extent(long origin, List<ByteRange> present) {
        /** Keeps a copy. */
        public Extent {
            present = List.copyOf(present);
        }

        /** Returns that of a new file. */
        public static Extent none() {
            return new Extent(0, List.of());
        }
    }

    @Override
    void accept(Taken bytes) {
        if (bytes.position() < origin) {
            bytes.bytes().release();
            BackendException refusal = new BackendException(
                    Code.FAILED, what() + ": expected bytes from " + origin + ", found some at " + bytes.position());
            bytes.sent().completeExceptionally(refusal);
            fail(refusal);
            return;
        }
        sent.add(bytes.position(), bytes.end());
        queue().add(bytes);
    }

    @Override
    void fill() {
        for (ByteRange missing : sent.missing(sent.end())) {
            if (missing.end() > origin) {
                ByteRange hole = new ByteRange(Math.max(origin, missing.start()), missing.end());
                sent.add(hole.start(), hole.end());
                queue().addZeros(hole);
            }
        }
    }

    @Override
    public ByteRanges sent() {
        return sent;
    }

    @Override
    long origin() {
        return origin;
    }

    @Override
    ByteBuf framed(Taken bytes) {
        ByteBuf payload = bytes.bytes();
        ByteBuf header = payload.alloc().buffer(BlockHeader.BYTES);
        BlockHeader.data(bytes.position() - origin, payload.readableBytes()).write(header);
        return payload.alloc().compositeBuffer(2).addComponents(true, header, payload);
    }

    @Override
    void sendEnd(List<Channel> connections) {
        for (int i = 0; i < connections.size(); i++) {
            ByteBuf header = connections.get(i).alloc().buffer(BlockHeader.BYTES);
            int end = BlockHeader.EOD | BlockHeader.CLOSE;
            BlockHeader last =
                    i == 0 ? new BlockHeader(end | BlockHeader.EOF, 0, connections.size()) : new BlockHeader(end, 0, 0);
            last.write(header);
            connections.get(i).writeAndFlush(header);
        }
    }

    @Override
    List<Taken> remaining() {
        return List.of();
    }
}
