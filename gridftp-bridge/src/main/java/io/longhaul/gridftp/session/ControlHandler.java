package io.longhaul.gridftp.session;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.protocol.CommandDecoder;
import io.longhaul.gridftp.protocol.ControlLine;
import io.longhaul.gridftp.protocol.Reply;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a session's commands, one after the other.
 *
 * <p>What comes during a command waits, up to a bound beyond which nothing more is read; only ABOR goes before the
 * others, since it is about the command that runs (RFC 959 section 4.1.3).
 */
public final class ControlHandler extends SimpleChannelInboundHandler<ControlLine> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlHandler.class);
    private static final int MOST_WAITING = 1024;
    private static final int MOST_REFUSED = 20;
    private static final int LOOK_MILLIS = 1000;

    private final SessionContext context;
    private final CommandDecoder decoder;
    private final Deque<ControlLine.Command> waiting = new ArrayDeque<>();
    private @Nullable Session session;
    private boolean isRunning;
    private int refused;
    private int aborting;
    private long began;
    private long lastCommand;

    /** Takes the decoder that is before it in the pipeline. */
    public ControlHandler(SessionContext context, CommandDecoder decoder) {
        this.context = context;
        this.decoder = decoder;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        Session opened = new Session(ctx.channel(), context, decoder);
        session = opened;
        began = now();
        lastCommand = began;
        opened.reply(Reply.of(220, "Longhaul GridFTP front ready."));
        watch(opened);
    }

    private long now() {
        return context.world().nanoTime().getAsLong();
    }

    private void watch(Session watched) {
        watched.loop()
                .schedule(
                        () -> {
                            if (session == watched) {
                                closeWhenIdle(watched);
                                watch(watched);
                            }
                        },
                        LOOK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void closeWhenIdle(Session watched) {
        FrontLimits limits = context.config().limits();
        boolean stranger = watched.login().user().isEmpty();
        // A stranger's time does not start again with each command.
        if (stranger) {
            if (now() - began > limits.login().toNanos()) {
                end(watched, "Nobody logged in within " + limits.login().toSeconds() + " s");
            }
        } else if (!isRunning && now() - lastCommand > limits.idle().toNanos()) {
            end(watched, "Idle Timeout");
        }
    }

    private void end(Session watched, String why) {
        watched.reply(Reply.of(421, why + ": closing control connection."));
        watched.closeNow();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ControlLine line) {
        Session current = session;
        if (current == null || current.isClosing()) {
            return;
        }
        if (line instanceof ControlLine.Refused bad) {
            refuse(current, bad);
            return;
        }
        ControlLine.Command command = (ControlLine.Command) line;
        if (command.verb().equals("ABOR")) {
            abort(current);
            return;
        }
        waiting.add(command);
        if (waiting.size() >= MOST_WAITING) {
            ctx.channel().config().setAutoRead(false);
        }
        runNext(current);
    }

    private void refuse(Session current, ControlLine.Refused bad) {
        refused++;
        if (refused > MOST_REFUSED) {
            end(current, "Too much that is no command");
        } else {
            current.reply(Reply.of(500, bad.reason()));
        }
    }

    private void abort(Session current) {
        lastCommand = now();
        // Its own reply comes behind that of the command which runs, so that the client can tell them apart.
        if (current.data().abort(Reply.of(426, "Transfer aborted by ABOR.")) || isRunning) {
            aborting++;
            current.abortNext();
        } else {
            current.reply(aborted());
        }
    }

    private static Reply aborted() {
        return Reply.of(226, "Abort successful");
    }

    private void runNext(Session current) {
        while (!isRunning && !waiting.isEmpty() && !current.isClosing()) {
            ControlLine.Command command = waiting.remove();
            isRunning = true;
            CompletableFuture<Reply> reply = run(current, command);
            if (reply.isDone()) {
                done(current, command, reply);
            } else {
                reply.whenComplete((done, failure) -> current.loop().execute(() -> {
                    done(current, command, reply);
                    runNext(current);
                }));
            }
        }
        if (waiting.size() < MOST_WAITING / 2) {
            current.resumeReading();
        }
    }

    private CompletableFuture<Reply> run(Session current, ControlLine.Command command) {
        if (command.verb().isEmpty()) {
            return CompletableFuture.completedFuture(Reply.of(500, "Command not supported."));
        }
        Optional<Verb> verb = context.verbs().find(command.verb());
        if (current.login().user().isEmpty()
                && verb.filter(Verb::isForStrangers).isEmpty()) {
            return CompletableFuture.completedFuture(Reply.of(530, "Please login with USER and PASS."));
        }
        if (verb.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.of(500, "Command not supported."));
        }
        try {
            return verb.get().run(current, command.argument());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void done(Session current, ControlLine.Command command, CompletableFuture<Reply> reply) {
        isRunning = false;
        current.aborted();
        lastCommand = now();
        Reply last = reply.handle((found, failure) -> failure == null ? found : FailureReplies.of(failure))
                .join();
        LOG.debug("{} {} {}", current.client(), command.verb(), last.code());
        current.reply(last);
        for (; aborting > 0; aborting--) {
            current.reply(aborted());
        }
        if (current.isClosing() || last.code() == 421) {
            current.closeNow();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            ctx.close();
            return;
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        Session closed = session;
        session = null;
        waiting.clear();
        if (closed != null) {
            closed.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("control channel of {}: {}", ctx.channel().remoteAddress(), cause.toString());
        ctx.close();
    }
}
