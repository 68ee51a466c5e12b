package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.ReplyDecoder;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.PathWords;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control connection: one command at a time, and the replies to it. Thread-safe; replies are told on its event loop.
 *
 * <p>A reply that nobody waits for means that both ends disagree on where they are, so the connection is given up.
 */
final class Control extends ChannelInboundHandlerAdapter {
    private static final int REPLY_BYTES = 16 * 1024 * 1024;

    private final String server;
    private final Channel channel;
    private final PathWords words;

    private @Nullable Pending pending; // guarded by this
    private @Nullable BackendException end; // guarded by this

    private record Pending(String verb, Consumer<Reply> preliminary, CompletableFuture<Reply> last) {}

    /**
     * Takes what it needs.
     *
     * @param words of who hears of refusals, in which the server names its own paths
     */
    Control(String server, Channel channel, PathWords words) {
        this.server = server;
        this.channel = channel;
        this.words = words;
    }

    static ReplyDecoder decoder() {
        return new ReplyDecoder(REPLY_BYTES);
    }

    Channel channel() {
        return channel;
    }

    /** Waits for the greeting, which no command asks for. */
    CompletableFuture<Reply> greeting() {
        return expect("greeting", reply -> {});
    }

    /**
     * Sends a command.
     *
     * @param line without its end
     * @param preliminary told replies that others follow, on the event loop
     * @return the last reply; fails when the connection ends before it
     */
    CompletableFuture<Reply> send(String line, Consumer<Reply> preliminary) {
        if (line.chars().anyMatch(character -> character == '\r' || character == '\n' || character == '\0')) {
            return CompletableFuture.failedFuture(
                    new BackendException(Code.BAD_NAME, "command: expected no line end and no NUL in a name"));
        }
        int space = line.indexOf(' ');
        CompletableFuture<Reply> last = expect(space < 0 ? line : line.substring(0, space), preliminary);
        if (!last.isDone()) {
            byte[] bytes = (line + "\r\n").getBytes(StandardCharsets.UTF_8);
            channel.writeAndFlush(channel.alloc().buffer(bytes.length).writeBytes(bytes));
        }
        return last;
    }

    private CompletableFuture<Reply> expect(String verb, Consumer<Reply> preliminary) {
        synchronized (this) {
            if (end != null) {
                return CompletableFuture.failedFuture(end);
            }
            if (pending != null) {
                return CompletableFuture.failedFuture(new IllegalStateException(verb + " during " + pending.verb()));
            }
            CompletableFuture<Reply> last = new CompletableFuture<>();
            pending = new Pending(verb, preliminary, last);
            return last;
        }
    }

    /** Returns whether a command may be sent now. */
    synchronized boolean isReady() {
        return end == null && pending == null;
    }

    /** Puts TLS under the connection; done when the server has proved who it is. */
    CompletableFuture<Void> secure(SslContext tls, String host, int port) {
        CompletableFuture<Void> secured = new CompletableFuture<>();
        channel.eventLoop().execute(() -> {
            // what came in clear text before must not be taken for an answer under TLS
            channel.pipeline().replace(ReplyDecoder.class, null, decoder());
            SslHandler handler = tls.newHandler(channel.alloc(), host, port);
            channel.pipeline().addFirst(handler);
            handler.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    secured.complete(null);
                } else {
                    secured.completeExceptionally(done.cause());
                    channel.close();
                }
            });
        });
        return secured;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Reply said)) {
            ReferenceCountUtil.release(message);
            fail(new BackendException(Code.FAILED, server + ": clear text behind AUTH TLS"));
            return;
        }
        Reply reply = said.isPositive()
                ? said
                : new Reply(said.code(), said.lines().stream().map(words::in).toList());
        Pending answered;
        synchronized (this) {
            answered = pending;
            if (answered != null && !reply.isPreliminary() && reply.code() != 421) {
                pending = null;
            }
        }
        if (answered == null || reply.code() == 421) {
            fail(BackendException.away(server + ": the server ended the session: " + Failures.text(reply), null));
        } else if (reply.isPreliminary()) {
            answered.preliminary().accept(reply);
        } else {
            answered.last().complete(reply);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(BackendException.away(server + ": Connection reset by peer: the control connection ended", null));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(BackendException.away(server + ": control connection: " + cause.getMessage(), cause));
    }

    /** Ends the connection; whoever waits is told why. */
    void fail(BackendException why) {
        Pending waiting;
        synchronized (this) {
            waiting = pending;
            pending = null;
            if (end == null) {
                end = why;
            }
        }
        channel.close();
        if (waiting != null) {
            waiting.last().completeExceptionally(why);
        }
    }
}
