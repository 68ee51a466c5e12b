package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The opener's side of one greeting: sends it once the connection stands (with TLS, once that does), and reads the answer.
 *
 * <p>After the answer it keeps what came with it until the session takes its place.
 */
final class Welcome extends ByteToMessageDecoder {
    private final Greeting greeting;
    private final boolean afterTls;
    private final CompletableFuture<Answered> result;
    private boolean answered; // event loop only

    /** A channel that the other end accepted. */
    record Answered(Channel channel, Answer answer) {}

    Welcome(Greeting greeting, boolean afterTls, CompletableFuture<Answered> result) {
        this.greeting = greeting;
        this.afterTls = afterTls;
        this.result = result;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!afterTls) {
            greet(ctx);
        }
        ctx.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent tls) {
            if (tls.isSuccess()) {
                greet(ctx);
            } else {
                result.completeExceptionally(tlsFailure(tls.cause()));
                ctx.close();
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    static PtcpException tlsFailure(Throwable cause) {
        String why = "TLS failed: ";
        if (cause instanceof ClosedChannelException) {
            why += "the connection was closed in the middle of it; expected parallel TCP over TLS";
        } else if (find(CertificateException.class, cause) != null) {
            boolean expired = find(CertificateExpiredException.class, cause) != null;
            why += "the certificate that was shown is not accepted: " + (expired ? "it has expired, " : "")
                    + rootMessage(cause);
        } else {
            why += rootMessage(cause);
        }
        return new PtcpException(PtcpException.Code.TLS, why, cause);
    }

    private static @Nullable Throwable find(Class<? extends Throwable> kind, Throwable failure) {
        Throwable each = failure;
        while (each != null && !kind.isInstance(each)) {
            each = each.getCause();
        }
        return each;
    }

    private static String rootMessage(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private void greet(ChannelHandlerContext ctx) {
        ByteBuf out = ctx.alloc().directBuffer(Greeting.BYTES);
        greeting.write(out);
        ctx.writeAndFlush(out, ctx.voidPromise());
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (answered) {
            return;
        }
        try {
            if (!Greeting.mayBegin(in)) {
                throw new PtcpException(
                        PtcpException.Code.STRANGER, "something answers that does not speak parallel TCP");
            }
            if (in.readableBytes() >= Answer.BYTES) {
                Answer answer = Answer.read(in);
                answered = true;
                ctx.channel().config().setAutoRead(false);
                result.complete(new Answered(ctx.channel(), answer));
            }
        } catch (PtcpException e) {
            in.skipBytes(in.readableBytes());
            result.completeExceptionally(e);
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        result.completeExceptionally(new PtcpException(
                PtcpException.Code.STRANGER,
                "the connection was closed before an answer came; expected parallel TCP"
                        + (afterTls ? " over TLS" : " without TLS")));
        super.channelInactive(ctx);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // with TLS 1.3 the acceptor looks at certificates after the opener's handshake is done, so that a no comes late
        Throwable tls = find(SSLException.class, cause);
        result.completeExceptionally(
                tls == null
                        ? new PtcpException(PtcpException.Code.UNREACHABLE, String.valueOf(cause.getMessage()), cause)
                        : tlsFailure(tls));
        ctx.close();
    }
}
