package io.longhaul.gridftp.session;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.protocol.CommandDecoder;
import io.longhaul.gridftp.protocol.ControlLine;
import io.longhaul.gridftp.protocol.Reply;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a session's commands, one after the other.
 *
 * <p>What comes during a command waits, up to a bound beyond which nothing more is read; only ABOR goes before the
 * others, since it is about the command that runs (RFC 959 section 4.1.3). Nor does a command begin while the client does
 * not read its replies: they would fill the memory.
 *
 * <p>A client that ends its side may be gone, or have said all that it will, as one of a pipe: it gets the replies to that for a
 * moment. Nothing tells the two apart, so that a transfer ends, and none begins.
 */
public final class ControlHandler extends SimpleChannelInboundHandler<ControlLine> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlHandler.class);
    private static final int MOST_WAITING = 1024;
    private static final int MOST_WAITING_BYTES = 1024 * 1024;
    private static final int MOST_WAITING_BYTES_OF_STRANGERS = 64 * 1024;
    private static final int MOST_REFUSED = 20;
    private static final Set<String> FILES = Set.of("RETR", "ERET", "STOR", "STOU", "APPE", "ESTO");
    private static final Set<String> LISTS = Set.of("LIST", "NLST", "MLSD");
    private static final int LEAST_REFUSAL = 500;
    private static final int LOOK_MILLIS = 1000;

    private final SessionContext context;
    private final CommandDecoder decoder;
    private final Deque<ControlLine> waiting = new ArrayDeque<>();
    private @Nullable Session session;
    private @Nullable ControlLine running;
    private boolean hasSaidAll;
    private int waitingBytes;
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
        Session opened = new Session(ctx.channel(), context, () -> !waiting.isEmpty() || decoder.hasRest());
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
        if (watched.isClosing()) {
            return;
        }
        FrontLimits limits = context.config().limits();
        boolean stranger = watched.login().user().isEmpty();
        // A stranger's time does not start again with each command.
        if (stranger) {
            if (now() - began > limits.login().toNanos()) {
                end(watched, "Nobody logged in within " + limits.login().toSeconds() + " s");
            }
        } else if (running == null && now() - lastCommand > limits.idle().toNanos()) {
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
        if (isAbort(line) && (running != null || waiting.isEmpty())) {
            abort(current);
        } else {
            waiting.add(line);
            waitingBytes += line.size();
        }
        runNext(current);
    }

    private static boolean isAbort(ControlLine line) {
        return line instanceof ControlLine.Command command && command.verb().equals("ABOR");
    }

    private static boolean isTransfer(ControlLine line) {
        return FILES.contains(line.verb()) || LISTS.contains(line.verb());
    }

    private void abort(Session current) {
        lastCommand = now();
        // Its own reply comes behind that of the command which runs, so that the client can tell them apart.
        if (current.data().abort(Reply.of(426, "Transfer aborted by ABOR.")) || running != null) {
            aborting++;
            current.abort();
        } else {
            current.reply(aborted());
        }
    }

    private static Reply aborted() {
        return Reply.of(226, "Abort successful");
    }

    private void runNext(Session current) {
        while (running == null && !waiting.isEmpty() && !current.isClosing() && current.isHeard()) {
            ControlLine line = waiting.remove();
            waitingBytes -= line.size();
            running = line;
            CompletableFuture<Reply> reply = run(current, line);
            if (reply.isDone()) {
                done(current, line, reply);
            } else {
                reply.whenComplete((done, failure) -> current.loop().execute(() -> {
                    if (session == current) {
                        done(current, line, reply);
                        runNext(current);
                    }
                }));
            }
        }
        bound(current);
    }

    /** Reads no more while much waits, and again when little does. */
    private void bound(Session current) {
        if (current.isClosing() || hasSaidAll) {
            return;
        }
        if (isMuch(current)) {
            current.read(false);
        } else if (lines() < MOST_WAITING / 2 && waitingBytes < mostBytes(current) / 2) {
            current.read(true);
        }
    }

    private boolean isMuch(Session current) {
        return lines() >= MOST_WAITING || waitingBytes >= mostBytes(current) || !current.isHeard();
    }

    private int lines() {
        return waiting.size() + aborting;
    }

    private static int mostBytes(Session current) {
        return current.login().user().isEmpty() ? MOST_WAITING_BYTES_OF_STRANGERS : MOST_WAITING_BYTES;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Session current = session;
        if (current != null && current.isHeard()) {
            // not at once: this may be in the middle of a reply
            current.loop().execute(() -> {
                if (session == current) {
                    runNext(current);
                }
            });
        }
    }

    private CompletableFuture<Reply> run(Session current, ControlLine line) {
        return line instanceof ControlLine.Command command
                ? run(current, command)
                : CompletableFuture.completedFuture(refusal(current, (ControlLine.Refused) line));
    }

    private Reply refusal(Session current, ControlLine.Refused bad) {
        if (current.login().user().isPresent()
                && context.verbs().find(bad.verb()).isPresent()) {
            // a name in another character set, as whole trees have: clients take 500 for a command that is not there
            return Reply.of(501, bad.reason());
        }
        refused++;
        return refused > MOST_REFUSED
                ? Reply.of(421, "Too much that is no command: closing control connection.")
                : Reply.of(500, bad.reason());
    }

    private CompletableFuture<Reply> run(Session current, ControlLine.Command command) {
        if (command.verb().isEmpty()) {
            return CompletableFuture.completedFuture(Reply.of(500, "Command not supported."));
        }
        if (isAbort(command)) {
            return CompletableFuture.completedFuture(aborted());
        }
        Optional<Verb> verb = context.verbs().find(command.verb());
        if (current.login().user().isEmpty()
                && verb.filter(Verb::isForStrangers).isEmpty()) {
            return CompletableFuture.completedFuture(Reply.of(530, "Please login with USER and PASS."));
        }
        if (verb.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.of(500, "Command not supported."));
        }
        if (hasSaidAll && isTransfer(command)) {
            return CompletableFuture.completedFuture(
                    Reply.of(421, "No transfer for who has ended the control connection: closing it."));
        }
        try {
            return verb.get().run(current, command.argument());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void done(Session current, ControlLine line, CompletableFuture<Reply> reply) {
        running = null;
        current.ended();
        lastCommand = now();
        Reply last = reply.handle((found, failure) -> failure == null ? found : FailureReplies.of(failure))
                .join();
        LOG.debug("{} {} {}", current.client(), line, last.code());
        if (last.code() >= LEAST_REFUSAL && FILES.contains(line.verb())) {
            current.settings().forgetNext();
        }
        current.reply(last);
        for (; aborting > 0; aborting--) {
            current.reply(aborted());
        }
        if (current.isClosing() || last.code() == 421 || hasSaidAll && waiting.isEmpty()) {
            current.closeNow();
        }
    }

    private void saidAll(ChannelHandlerContext ctx, Session current) {
        hasSaidAll = true;
        boolean isTransfer = running != null && isTransfer(running);
        // what lies in the network is read before its end, whether reading has stopped or not
        if (isTransfer || isMuch(current)) {
            ctx.close();
        } else if (current.isClosing()) {
            current.closeWhenEnded();
        } else if (running == null && waiting.isEmpty()) {
            current.closeNow();
        } else {
            current.closeSoon();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            ctx.close();
            return;
        }
        Session current = session;
        if (event == ChannelInputShutdownEvent.INSTANCE && current != null) {
            saidAll(ctx, current);
        }
        super.userEventTriggered(ctx, event);
    }

    /** The connection is gone; done when nothing of its client is under way any more. */
    public CompletableFuture<Void> closed() {
        Session closed = session;
        session = null;
        waiting.clear();
        waitingBytes = 0;
        return closed == null ? CompletableFuture.completedFuture(null) : closed.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("control channel of {}: {}", ctx.channel().remoteAddress(), cause.toString());
        ctx.close();
    }
}
