package io.longhaul.broker.artemis;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The first reader of a connection's bytes: lets only a well-formed conversation through to the server.
 *
 * <pre>
 *  preamble            frame             frame
 * +-------------------+--------+--------+--------+---
 * | "ARTEMIS" 7 bytes | length | packet | length | ...     length: 4 bytes, big-endian, without itself
 * +-------------------+--------+--------+--------+---
 * </pre>
 *
 * Until a session exists, frames are short, of the kinds that may come before one, and decode; afterwards they
 * are those of clients, and lengths in them fit. The server gathers a frame before it decodes it, too, so that to wait for
 * a whole one here costs nothing. Anything else closes the connection with one line in the log.
 * One for each connection; runs on its event loop.
 */
final class ConnectionGuard extends ByteToMessageDecoder {
    private static final byte[] PREAMBLE = "ARTEMIS".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH_BYTES = Integer.BYTES;
    private static final int MAX_REASON = 120;
    private static final int SECONDS_TO_BEGIN = 10;
    private static final AttributeKey<Boolean> TRUSTED = AttributeKey.valueOf("longhaul.trusted");

    private final Consumer<Channel> accepted;
    private final QuietLog log;
    private boolean greeted; // event loop only
    private @Nullable ScheduledFuture<?> deadline; // event loop only

    /** Takes whom to give the connection to once it has greeted. */
    ConnectionGuard(Consumer<Channel> accepted, QuietLog log) {
        this.accepted = accepted;
        this.log = log;
    }

    /** Says that a session was made on this connection, so that its user is known. */
    static void trust(Channel channel) {
        channel.attr(TRUSTED).set(Boolean.TRUE);
    }

    /** Returns whether a session was made on this connection. */
    static boolean isTrusted(Channel channel) {
        return channel.hasAttr(TRUSTED);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        deadline = ctx.executor()
                .schedule(
                        () -> drop(ctx, "silence", "nothing in " + SECONDS_TO_BEGIN + " s"),
                        SECONDS_TO_BEGIN,
                        TimeUnit.SECONDS);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        if (deadline != null) {
            deadline.cancel(false);
        }
        super.channelInactive(ctx);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (!ctx.channel().isActive()) {
            in.skipBytes(in.readableBytes());
        } else if (!greeted) {
            greet(ctx, in, out);
        } else if (isTrusted(ctx.channel())) {
            pass(ctx, in, out);
        } else {
            first(ctx, in, out);
        }
    }

    private void greet(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        int seen = Math.min(in.readableBytes(), PREAMBLE.length);
        for (int i = 0; i < seen; i++) {
            if (in.getByte(in.readerIndex() + i) != PREAMBLE[i]) {
                drop(ctx, "preamble", "bytes that are no greeting");
                in.skipBytes(in.readableBytes());
                return;
            }
        }
        if (seen == PREAMBLE.length) {
            greeted = true;
            if (deadline != null) {
                deadline.cancel(false);
            }
            accepted.accept(ctx.channel());
            out.add(in.readRetainedSlice(PREAMBLE.length));
        }
    }

    private void first(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 1 || length > FirstFrames.MOST_FIRST_BYTES) {
            drop(
                    ctx,
                    "first-length",
                    "a first frame of " + length + " bytes, expected 1.." + FirstFrames.MOST_FIRST_BYTES);
            in.skipBytes(in.readableBytes());
        } else if (in.readableBytes() >= LENGTH_BYTES + length) {
            if (FirstFrames.isWellFormed(in.slice(in.readerIndex(), LENGTH_BYTES + length))) {
                out.add(in.readRetainedSlice(LENGTH_BYTES + length));
            } else {
                drop(ctx, "first-frame", "a first frame that is none");
                in.skipBytes(in.readableBytes());
            }
        }
    }

    private void pass(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        int from = in.readerIndex();
        int at = from;
        int end = in.writerIndex();
        while (end - at >= LENGTH_BYTES) {
            int length = in.getInt(at);
            if (length < 1 || length > FirstFrames.MOST_BYTES) {
                drop(ctx, "length", "a frame of " + length + " bytes, expected 1.." + FirstFrames.MOST_BYTES);
                in.skipBytes(in.readableBytes());
                return;
            }
            if (end - at < LENGTH_BYTES + length) {
                break;
            }
            Optional<String> objection = FirstFrames.objection(in.slice(at, LENGTH_BYTES + length));
            if (objection.isPresent()) {
                drop(ctx, "frame", objection.get());
                in.skipBytes(in.readableBytes());
                return;
            }
            at += LENGTH_BYTES + length;
        }
        if (at > from) {
            out.add(in.readRetainedSlice(at - from));
        }
    }

    private void drop(ChannelHandlerContext ctx, String kind, String what) {
        log.warn(kind, "connection from " + ctx.channel().remoteAddress() + " dropped: " + what);
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (greeted) {
            ctx.fireExceptionCaught(cause);
        } else {
            String why = String.valueOf(cause.getMessage());
            drop(ctx, "failure", why.substring(0, Math.min(why.length(), MAX_REASON)));
        }
    }
}
