package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The acceptor's side of one greeting: reads it within a bound and a time, and gives the channel on.
 *
 * <p>The time is for the whole greeting and TLS, so that a trickle of bytes does not buy more of it. Afterwards it keeps
 * what came with the greeting until the session takes its place.
 */
final class Doorkeeper extends ByteToMessageDecoder {
    private static final int MOST_REASON = 120;
    private final Lobby lobby;
    private final long limitMillis;
    private boolean greeted; // event loop only
    private boolean ended; // what comes now is dropped; event loop only
    private @Nullable Future<?> deadline; // event loop only

    Doorkeeper(Lobby lobby, long limitMillis) {
        this.lobby = lobby;
        this.limitMillis = limitMillis;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        deadline = ctx.executor()
                .schedule(
                        () -> lobby.drop(ctx.channel(), "silence", "no greeting within " + limitMillis + " ms"),
                        limitMillis,
                        TimeUnit.MILLISECONDS);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        calm();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        calm();
        super.channelInactive(ctx);
    }

    private void calm() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (ended) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (greeted) {
            return;
        }
        if (!Greeting.mayBegin(in)) {
            end(in);
            lobby.drop(ctx.channel(), "garbage", "bytes that are no greeting");
        } else if (in.readableBytes() >= Greeting.BYTES) {
            try {
                Greeting greeting = Greeting.read(in);
                greeted = true;
                calm();
                ctx.channel().config().setAutoRead(false);
                lobby.greeted(ctx.channel(), greeting);
            } catch (PtcpException e) {
                end(in);
                lobby.refuse(ctx.channel(), Answer.Refusal.of(e.code()), String.valueOf(e.getMessage()));
            }
        }
    }

    /** The deadline stays: it holds for the refusal too. */
    private void end(ByteBuf in) {
        ended = true;
        in.skipBytes(in.readableBytes());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable root = cause; // what is around it names classes, and leaves no room for the reason
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String why = String.valueOf(root.getMessage());
        lobby.drop(ctx.channel(), "failure", why.substring(0, Math.min(why.length(), MOST_REASON)));
    }
}
