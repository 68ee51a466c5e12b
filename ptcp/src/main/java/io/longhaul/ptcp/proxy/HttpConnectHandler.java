package io.longhaul.ptcp.proxy;

import io.longhaul.ptcp.UnknownHost;
import io.longhaul.ptcp.proxy.HttpProxyException.Kind;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.PendingWriteQueue;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a connect to a target one through the proxy; event loop only.
 *
 * <h2>Design note</h2>
 * Netty's {@code ProxyHandler} is not used: it tells later handlers that the channel is active, and ends the connect's
 * future, when only the proxy is reached, and after a failure lets the rest of the answer through to them. Here the
 * codec is Netty's, and the handlers after it see nothing but the tunnel.
 */
final class HttpConnectHandler extends ChannelDuplexHandler {
    /** Together the 16 KiB that the head of an answer may have. */
    private static final int LINE_BYTES = 4 * 1024;

    private static final int HEADER_BYTES = 12 * 1024;

    /** Takes what comes after a grant for the tunnel's, whatever the grant says of a body (RFC 9110 section 9.3.6). */
    private static final class AnswerDecoder extends HttpResponseDecoder {
        AnswerDecoder() {
            super(new HttpDecoderConfig().setMaxInitialLineLength(LINE_BYTES).setMaxHeaderSize(HEADER_BYTES));
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            return message instanceof HttpResponse answer && ConnectExchange.isGrant(answer.status())
                    || super.isContentAlwaysEmpty(message);
        }
    }

    /** From the connect to the tunnel. */
    private enum Phase {
        NEW,
        DIALING,
        ASKING,
        OPEN,
        FAILED
    }

    private final HttpProxySession session;
    private final HttpRequestEncoder encoder = new HttpRequestEncoder();
    private final HttpResponseDecoder decoder = new AnswerDecoder();
    private Phase phase = Phase.NEW;
    private boolean active;
    private @Nullable ChannelPromise opened;
    private @Nullable PendingWriteQueue held;
    private @Nullable ConnectExchange exchange;
    private @Nullable ScheduledFuture<?> deadline;

    HttpConnectHandler(HttpProxySession session) {
        this.session = session;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        held = new PendingWriteQueue(ctx);
        ctx.pipeline().addBefore(ctx.name(), null, decoder).addBefore(ctx.name(), null, encoder);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        closed(ctx);
        if (held != null && !held.isEmpty()) {
            held.removeAndFailAll(new ClosedChannelException());
        }
    }

    @Override
    public void connect(ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
        if (phase != Phase.NEW) {
            promise.tryFailure(new ConnectionPendingException());
            return;
        }
        phase = Phase.DIALING;
        opened = promise;
        promise.addListener(done -> {
            if (done.isCancelled()) {
                closed(ctx);
            }
        });
        String target;
        try {
            target = target(remote);
        } catch (IllegalArgumentException e) {
            fail(ctx, new HttpProxyException(Kind.BAD_TARGET, "proxy " + session.proxy() + ": " + e.getMessage(), e));
            return;
        }
        try {
            session.address()
                    .whenComplete((proxy, failure) -> inLoop(ctx, () -> {
                        if (failure != null) {
                            Throwable cause = failure.getCause();
                            unreachable(ctx, failure instanceof CompletionException && cause != null ? cause : failure);
                        } else if (phase == Phase.DIALING) {
                            ChannelPromise dialed = ctx.newPromise();
                            ctx.connect(proxy, local, dialed);
                            dialed.addListener(done -> dialed(ctx, target, done.cause()));
                        }
                    }));
        } catch (RejectedExecutionException e) {
            unreachable(ctx, e);
        }
    }

    private static String target(SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress address)) {
            throw new IllegalArgumentException("target: expected host and port, found " + remote);
        }
        return Authority.of(Authority.bare(address.getHostString()), address.getPort());
    }

    private static void inLoop(ChannelHandlerContext ctx, Runnable task) {
        if (ctx.executor().inEventLoop()) {
            task.run();
        } else {
            ctx.executor().execute(task);
        }
    }

    private void unreachable(ChannelHandlerContext ctx, Throwable cause) {
        String words = cause instanceof UnknownHostException
                ? UnknownHost.words(String.valueOf(cause.getMessage()))
                : cause.toString();
        String message = "proxy " + session.proxy() + ": cannot connect: " + words;
        fail(ctx, new HttpProxyException(Kind.UNREACHABLE, message, cause));
    }

    private void dialed(ChannelHandlerContext ctx, String target, @Nullable Throwable failure) {
        if (failure != null) {
            unreachable(ctx, failure);
        } else if (phase == Phase.DIALING) {
            phase = Phase.ASKING;
            exchange = new ConnectExchange(session, target);
            int millis = ctx.channel().config().getConnectTimeoutMillis();
            if (millis > 0) {
                deadline = ctx.executor().schedule(() -> expired(ctx, millis), millis, TimeUnit.MILLISECONDS);
            }
            ask(ctx, exchange);
        }
    }

    private void expired(ChannelHandlerContext ctx, int millis) {
        if (exchange != null) {
            String message = exchange.about("expected an answer within " + millis + " ms, found none");
            fail(ctx, new HttpProxyException(Kind.NO_ANSWER, message));
        }
    }

    private void ask(ChannelHandlerContext ctx, ConnectExchange current) {
        ctx.writeAndFlush(current.request()).addListener(sent -> {
            if (!sent.isSuccess()) {
                closed(ctx);
            }
        });
        if (!ctx.channel().config().isAutoRead()) {
            ctx.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (phase == Phase.OPEN) {
            ctx.fireChannelRead(message);
            return;
        }
        try {
            if (phase == Phase.ASKING && exchange != null && message instanceof HttpObject part) {
                switch (exchange.read(part)) {
                    case WAIT -> {}
                    case ASK_AGAIN -> ask(ctx, exchange);
                    case OPEN -> open(ctx);
                }
            }
        } catch (HttpProxyException e) {
            fail(ctx, e);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void open(ChannelHandlerContext ctx) {
        phase = Phase.OPEN;
        cancelDeadline();
        // Before anything is written: the encoder would take it for a body. The decoder goes last, since it hands on
        // what
        // came after the answer, and that must not overtake the news that the channel is active.
        ctx.pipeline().remove(encoder);
        if (held != null && !held.isEmpty()) {
            held.removeAndWriteAll();
            ctx.flush();
        }
        if (opened != null) {
            opened.trySuccess();
        }
        if (active) {
            ctx.fireChannelActive();
        }
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(decoder);
            ctx.pipeline().remove(this);
        }
    }

    private void closed(ChannelHandlerContext ctx) {
        if (phase == Phase.ASKING && exchange != null) {
            fail(ctx, exchange.closed());
        } else if (phase == Phase.DIALING) {
            unreachable(ctx, new IllegalStateException("the channel was closed"));
        }
    }

    private void fail(ChannelHandlerContext ctx, HttpProxyException cause) {
        if (phase == Phase.OPEN || phase == Phase.FAILED) {
            return;
        }
        phase = Phase.FAILED;
        cancelDeadline();
        if (held != null) {
            held.removeAndFailAll(cause);
        }
        if (opened != null) {
            opened.tryFailure(cause);
        }
        ctx.close();
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        active = true;
        if (phase == Phase.OPEN) {
            ctx.fireChannelActive();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (phase == Phase.OPEN) {
            ctx.fireChannelInactive();
        } else {
            closed(ctx);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (phase == Phase.OPEN) {
            ctx.fireChannelReadComplete();
        } else if (!ctx.channel().config().isAutoRead()) {
            ctx.read();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (phase == Phase.OPEN) {
            ctx.fireExceptionCaught(cause);
        } else {
            String what = exchange == null ? "proxy " + session.proxy() + ": " + cause : exchange.about("" + cause);
            fail(ctx, new HttpProxyException(Kind.NO_ANSWER, what, cause));
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (phase == Phase.OPEN) {
            ctx.write(message, promise);
        } else if (phase == Phase.FAILED || held == null) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
        } else {
            held.add(message, promise);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (phase == Phase.OPEN) {
            ctx.flush();
        }
    }
}
