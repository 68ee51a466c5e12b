package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that one command brings in MODE S. Asked from any thread; everything happens on the event loop of its session.
 * It has ended when the connection has, and the server has said that this was all.
 */
public final class Download extends ChannelInboundHandlerAdapter implements AutoCloseable {
    private static final int AHEAD_BYTES = 2 * 1024 * 1024;
    private static final int TICK_MILLIS = 500;
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final String what;
    private final Session session;
    private final Deque<ByteBuf> ready = new ArrayDeque<>();
    private final Deque<CompletableFuture<Optional<ByteBuf>>> asked = new ArrayDeque<>();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final ScheduledFuture<?> watching;
    private @Nullable Channel channel;
    private @Nullable Reply last;
    private @Nullable BackendException failure;
    private boolean isAtEnd;
    private long skip; // bytes that are to come and that nobody asked for
    private boolean hasEnd; // that of TLS
    private volatile boolean isTorn; // written on the loop
    private int readyBytes;
    private long bytes;
    private long idleTicks;

    private Download(String what, Session session) {
        this.what = what;
        this.session = session;
        this.watching = session.loop().scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Begins; returns when bytes come or the server says that they will; may wait.
     *
     * @param what names it in failures
     * @param commands the last of which brings the bytes; the others must succeed
     */
    public static Download begin(String what, Session session, String... commands) {
        return begin(what, session, 0, commands);
    }

    /**
     * Begins to read a file from a position on: behind what comes before it, where the server cannot begin elsewhere than at the
     * beginning. May wait.
     *
     * @param command brings all of the file
     */
    public static Download from(long start, String what, Session session, String command) {
        return begin(what, session, start, command);
    }

    private static Download begin(String what, Session session, long start, String... commands) {
        if (!session.mode(false)) {
            throw new BackendException(Code.UNSUPPORTED, what + ": the server refuses MODE S");
        }
        Download download = new Download(what, session);
        try {
            var address = session.passive();
            download.skip = start == 0 || isRestarted(what, session, start) ? 0 : start;
            for (int i = 0; i < commands.length - 1; i++) {
                session.expect(what, commands[i]);
            }
            session.begin(commands[commands.length - 1], reply -> download.began())
                    .whenComplete((reply, lost) -> session.loop().execute(() -> download.replied(reply, lost)));
            session.data(address, download, false)
                    .whenComplete((opened, refused) -> session.loop().execute(() -> download.opened(opened, refused)));
            Duration limit = session.config().limits().connect().plus(GRACE).plus(GRACE);
            Waiting.on(download.begun, limit, what);
            return download;
        } catch (BackendException e) {
            session.loop().execute(() -> download.fail(e));
            throw e;
        }
    }

    private static boolean isRestarted(String what, Session session, long start) {
        Reply reply = session.call("REST " + start);
        if (reply.code() / 100 == 4) {
            throw Failures.of(what, reply);
        }
        return reply.isPositive();
    }

    private void began() {
        idleTicks = 0;
        begun.complete(null);
    }

    private void opened(@Nullable Channel connection, @Nullable Throwable refused) {
        if (connection == null) {
            BackendException lost = Failures.lost(
                    what + ": data connection", refused == null ? new IllegalStateException("none") : refused);
            session.loop().schedule(() -> fail(lost), GRACE.toMillis(), TimeUnit.MILLISECONDS);
            return;
        }
        channel = connection;
        if (failure != null) {
            connection.close();
        } else if (connection.isActive()) {
            connection.read();
        }
    }

    private void replied(@Nullable Reply reply, @Nullable Throwable lost) {
        if (reply == null) {
            fail(Failures.lost(what, lost == null ? new IllegalStateException("no reply") : lost));
            return;
        }
        last = reply;
        idleTicks = 0;
        if (!reply.isPositive()) {
            fail(Failures.of(what, reply));
        } else {
            began();
            serve();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf read = (ByteBuf) message;
        idleTicks = 0;
        int skipped = (int) Math.min(skip, read.readableBytes());
        read.skipBytes(skipped);
        skip -= skipped;
        if (failure != null || !read.isReadable()) {
            read.release();
            return;
        }
        began();
        bytes += read.readableBytes();
        readyBytes += read.readableBytes();
        ready.add(read);
        serve();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (readyBytes < AHEAD_BYTES || !asked.isEmpty()) {
            ctx.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent end) {
            hasEnd = end.isSuccess();
            isTorn = !hasEnd;
            // some servers wait for the client's last word under TLS before theirs on the control connection
            ctx.close();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        isAtEnd = true;
        idleTicks = 0;
        serve();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!hasEnd && !isAtEnd) {
            isTorn = true;
        }
        BackendException lost = new BackendException(
                Code.UNAVAILABLE,
                what + ": data connection: " + cause.getMessage() + ", after " + bytes + " bytes",
                cause);
        // the server may know better
        session.loop().schedule(() -> fail(lost), GRACE.toMillis(), TimeUnit.MILLISECONDS);
        ctx.close();
    }

    /** Asks for the next bytes, the taker's to release; empty at the end. */
    public CompletableFuture<Optional<ByteBuf>> next() {
        CompletableFuture<Optional<ByteBuf>> next = new CompletableFuture<>();
        session.loop().execute(() -> {
            asked.add(next);
            serve();
        });
        return next;
    }

    /**
     * Returns whether its connection broke, or its end may be anybody's on the way, since TLS did not say it. Whoever does not
     * know how much is to come cannot take it for whole then, whatever the server says of what it has sent.
     */
    boolean isTorn() {
        return isTorn;
    }

    private void serve() {
        while (!asked.isEmpty() && !ready.isEmpty()) {
            ByteBuf following = ready.remove();
            readyBytes -= following.readableBytes();
            if (!asked.remove().complete(Optional.of(following))) {
                following.release();
            }
        }
        if (failure != null) {
            BackendException why = failure;
            asked.forEach(next -> next.completeExceptionally(why));
            asked.clear();
        } else if (isAtEnd && last != null) {
            watching.cancel(false);
            if (ready.isEmpty()) {
                asked.forEach(next -> next.complete(Optional.empty()));
                asked.clear();
            }
        } else if (channel != null && readyBytes < AHEAD_BYTES) {
            channel.read();
        }
    }

    private void tick() {
        idleTicks++;
        boolean waits = asked.isEmpty() && readyBytes >= AHEAD_BYTES;
        if (waits || failure != null) {
            idleTicks = 0;
            return;
        }
        ClientLimits limits = session.config().limits();
        Duration limit = isAtEnd ? limits.reply() : limits.stall();
        if (idleTicks * TICK_MILLIS > limit.toMillis()) {
            fail(Failures.late(what + ": after " + bytes + " bytes", limit));
        }
    }

    private void fail(BackendException why) {
        if (failure != null || isAtEnd && last != null && last.isPositive()) {
            return;
        }
        failure = why;
        watching.cancel(false);
        begun.completeExceptionally(why);
        ready.forEach(ByteBuf::release);
        ready.clear();
        readyBytes = 0;
        if (channel != null) {
            channel.close();
        }
        if (last == null) {
            session.fail(why);
        }
        serve();
    }

    /** Ends it; a session in the middle of it ends too. Idempotent; returns at once. */
    @Override
    public void close() {
        session.loop().execute(() -> {
            fail(new BackendException(Code.UNAVAILABLE, what + ": given up"));
            ready.forEach(ByteBuf::release);
            ready.clear();
        });
    }
}
