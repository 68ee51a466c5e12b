package io.longhaul.ptcp.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;

/**
 * Ends a connection whose other end says that a record of TLS is longer than any may be, until the handshake is over: the
 * whole of a record is waited for in memory, and its header can say four times what TLS allows. Event loop only.
 *
 * <pre>
 *  0      1         3        5
 * +------+---------+--------+--------------
 * | type | version | length | length bytes
 * +------+---------+--------+--------------
 * </pre>
 */
final class RecordBound extends ChannelInboundHandlerAdapter {
    /** 2^14, and what encryption may add to that (RFC 5246, section 6.2.3). */
    private static final int MOST_BYTES = 16 * 1024 + 2048;

    private static final int HEADER_BYTES = 5;
    private static final int LEAST_TYPE = 20;
    private static final int MOST_TYPE = 24;
    private static final int MAJOR_VERSION = 3;

    private long header;
    private int headerBytes; // of it, so far
    private int bodyBytes; // still to come
    private boolean foreign; // what came is no TLS, which says so itself
    private boolean ended; // what comes now is dropped

    /** Puts TLS behind one of these, which goes when the handshake is over. */
    static void guard(ChannelPipeline pipeline, SslHandler tls) {
        RecordBound bound = new RecordBound();
        pipeline.addLast(bound).addLast("ssl", tls);
        tls.handshakeFuture().addListener(done -> {
            if (pipeline.context(bound) != null) {
                pipeline.remove(bound);
            }
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (ended || isTooLong(bytes)) {
            boolean first = !ended;
            ended = true;
            bytes.release();
            if (first) {
                throw new DecoderException(
                        "a record of TLS with " + length() + " bytes, expected at most " + MOST_BYTES);
            }
            return;
        }
        ctx.fireChannelRead(message);
    }

    private boolean isTooLong(ByteBuf bytes) {
        if (foreign) {
            return false;
        }
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            int skipped = Math.min(bodyBytes, bytes.writerIndex() - at);
            bodyBytes -= skipped;
            at += skipped;
            if (at < bytes.writerIndex()) {
                header = header << Byte.SIZE | bytes.getUnsignedByte(at++);
                if (++headerBytes == HEADER_BYTES) {
                    if (!isRecord()) {
                        foreign = true;
                        return false;
                    }
                    bodyBytes = length();
                    headerBytes = 0;
                    if (bodyBytes > MOST_BYTES) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private int length() {
        return (int) (header & 0xffff);
    }

    private boolean isRecord() {
        long type = header >> 32 & 0xff;
        return type >= LEAST_TYPE && type <= MOST_TYPE && (header >> 24 & 0xff) == MAJOR_VERSION;
    }
}
