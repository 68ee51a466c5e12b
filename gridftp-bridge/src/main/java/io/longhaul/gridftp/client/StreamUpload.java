package io.longhaul.gridftp.client;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * MODE S: one connection, one byte after the other.
 *
 * <p>Bytes that come before those in front of them wait in a window; they count as taken, since whoever sends the others
 * may be waiting for that. When the window has no room for more the upload fails: it would wait for bytes that may never come.
 */
public final class StreamUpload extends Upload {
    private final TreeMap<Long, Taken> early = new TreeMap<>();
    private final long origin;
    private long next;
    private long earlyBytes;

    private StreamUpload(String what, Session session, long origin) {
        super(what, session);
        this.origin = origin;
        this.next = origin;
    }

    /**
     * Begins; may wait.
     *
     * @param what names it in failures
     * @param origin the position of the first byte
     * @param commands the last of which takes the bytes
     */
    public static Upload begin(String what, Session session, long origin, List<String> commands) {
        if (!session.mode(false)) {
            throw new BackendException(Code.UNSUPPORTED, what + ": the server refuses MODE S");
        }
        StreamUpload upload = new StreamUpload(what, session, origin);
        upload.begin(1, commands);
        return upload;
    }

    @Override
    void accept(Taken bytes) {
        if (bytes.position() < next || early.containsKey(bytes.position())) {
            refuse(
                    bytes,
                    "bytes at " + bytes.position() + " come again, behind " + next
                            + ": in MODE S nothing can be sent twice");
            return;
        }
        if (bytes.position() > next) {
            long length = bytes.bytes().readableBytes();
            if (earlyBytes + length > limits().windowBytes()) {
                refuse(
                        bytes,
                        "bytes at " + next + " are missing while " + earlyBytes
                                + " behind them wait: in MODE S bytes are sent in order");
                return;
            }
            earlyBytes += length;
            early.put(bytes.position(), bytes);
            bytes.sent().complete(null);
            return;
        }
        advance(bytes);
        while (!early.isEmpty() && early.firstKey() <= next) {
            Taken following = early.pollFirstEntry().getValue();
            earlyBytes -= following.bytes().readableBytes();
            if (following.position() < next) {
                refuse(following, "bytes at " + following.position() + " overlap those before " + next);
                return;
            }
            advance(following);
        }
    }

    private void advance(Taken bytes) {
        next += bytes.bytes().readableBytes();
        queue().add(bytes);
    }

    private void refuse(Taken bytes, String why) {
        bytes.bytes().release();
        BackendException refusal = new BackendException(Code.FAILED, what() + ": " + why);
        bytes.sent().completeExceptionally(refusal);
        fail(refusal);
    }

    @Override
    void fill() {
        remaining().forEach(bytes -> {
            if (bytes.position() > next) {
                queue().addZeros(new ByteRange(next, bytes.position()));
                next = bytes.position();
            }
            advance(bytes);
        });
    }

    @Override
    public ByteRanges sent() {
        return ByteRanges.of(List.of(new ByteRange(origin, next)));
    }

    @Override
    long origin() {
        return origin;
    }

    @Override
    ByteBuf framed(Taken bytes) {
        return bytes.bytes();
    }

    @Override
    void sendEnd(List<Channel> connections) {
        Channel channel = connections.get(0);
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        // An empty write is done when all before it are. What the server still says under TLS must be read until it has
        // everything: a socket that is closed with unread bytes takes back what it has sent.
        Future<?> last = tls == null ? channel.writeAndFlush(channel.alloc().buffer(0)) : tls.closeOutbound();
        last.addListener(done -> ((DuplexChannel) channel).shutdownOutput());
    }

    @Override
    List<Taken> remaining() {
        List<Taken> all = new ArrayList<>(early.values());
        early.clear();
        earlyBytes = 0;
        return all;
    }
}
