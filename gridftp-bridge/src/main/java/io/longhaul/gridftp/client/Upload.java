package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that one command takes to the server. What it is told comes from any thread, one at a time; everything happens
 * on the event loop of its session.
 *
 * <p>A connection that breaks says nothing about why; the server's reply does, so it is waited for a little. Whatever
 * ends an upload early ends its session too, and with it what the server does for it: after an ABOR there are servers
 * that say 226 to half a file.
 */
public abstract class Upload {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(2);

    /** Servers send restart markers every 5 seconds unless they are told otherwise. */
    private static final Duration MARK = Duration.ofSeconds(15);

    private static final int TICK_MILLIS = 500;

    private final String what;
    private final Session session;
    private final ClientLimits limits;
    private final List<Channel> lanes = new ArrayList<>();
    private final SendQueue queue = new SendQueue();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Reply> done = new CompletableFuture<>();
    private final Reported reported = new Reported();
    private final List<CompletableFuture<Void>> doomed = new ArrayList<>();
    private @Nullable ScheduledFuture<?> watching;
    private int opening;
    private int flying;
    private volatile long moved; // written on the loop
    private volatile LongConsumer listener = bytes -> {};
    private long idleTicks;
    private boolean told;
    private boolean broken;
    private boolean finishing;
    private boolean ended;
    private @Nullable Reply last;
    private @Nullable BackendException failure;

    Upload(String what, Session session) {
        this.what = what;
        this.session = session;
        this.limits = session.config().limits();
    }

    /**
     * Begins. Returns when the server takes bytes, or at least does not refuse; may wait.
     *
     * @param connections of data
     * @param commands the last of which takes the bytes; the others must succeed
     */
    final void begin(int connections, List<String> commands) {
        InetSocketAddress address = session.passive();
        opening = connections;
        int end = commands.size() - 1;
        commands.subList(0, end).forEach(command -> session.expect(what, command));
        session.begin(commands.get(end), this::preliminary)
                .whenComplete((reply, lost) -> inLoop(() -> replied(reply, lost)));
        for (int i = 0; i < connections; i++) {
            session.data(address, new Lane(this), true)
                    .whenComplete((channel, refused) -> inLoop(() -> opened(channel, refused)));
        }
        try {
            Waiting.on(begun, limits.connect().plus(GRACE).plus(GRACE), what);
        } catch (BackendException e) {
            inLoop(() -> fail(e));
            throw e;
        }
    }

    private void inLoop(Runnable task) {
        session.loop().execute(task);
    }

    private void opened(@Nullable Channel channel, @Nullable Throwable refused) {
        opening--;
        if (channel != null && failure == null) {
            lanes.add(channel);
        } else if (channel != null) {
            channel.close();
        }
        if (opening > 0 || failure != null) {
            return;
        }
        if (lanes.isEmpty()) {
            BackendException lost = Failures.lost(
                    what + ": data connection", refused == null ? new IllegalStateException("none") : refused);
            // the server is there, and talks
            failWithReason(new BackendException(lost.code(), String.valueOf(lost.getMessage()), lost));
            return;
        }
        // a server may forget its 150, and still take bytes
        session.loop().schedule(this::told, SILENCE.toMillis(), TimeUnit.MILLISECONDS);
        watching = session.loop().scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        beginWhenReady();
    }

    private void told() {
        told = true;
        beginWhenReady();
    }

    private void beginWhenReady() {
        if (told && opening == 0 && !lanes.isEmpty() && !begun.isDone()) {
            begun.complete(null);
            pump();
        }
    }

    private void preliminary(Reply reply) {
        idleTicks = 0;
        reported.take(reply, origin());
        listener.accept(reached());
        told();
    }

    private void replied(@Nullable Reply reply, @Nullable Throwable lost) {
        if (reply == null) {
            fail(Failures.lost(what, lost == null ? new IllegalStateException("no reply") : lost));
            return;
        }
        last = reply;
        if (!reply.isPositive()) {
            fail(Failures.of(what, reply));
        } else if (!ended) {
            fail(new BackendException(
                    Code.UNAVAILABLE,
                    what + ": ended after " + moved + " bytes, before all were sent: " + Failures.text(reply)));
        } else {
            close();
            BackendException unsent =
                    new BackendException(Code.FAILED, what + ": not sent, since bytes before it never came");
            remaining().forEach(bytes -> bytes.drop(unsent));
            done.complete(reply);
            reported.endWell();
        }
    }

    /** Takes bytes; done when they are on their way, or in the window of those that wait for others. */
    public final CompletableFuture<Void> write(long position, ByteBuf bytes) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        inLoop(() -> {
            if (failure != null || finishing) {
                bytes.release();
                sent.completeExceptionally(
                        failure == null ? new IllegalStateException("written after its end") : failure);
            } else if (!bytes.isReadable()) {
                bytes.release();
                sent.complete(null);
            } else {
                accept(new Taken(position, bytes, sent));
                pump();
            }
        });
        return sent;
    }

    /** Puts bytes into a queue. */
    abstract void accept(Taken bytes);

    /** Puts zeros into the queue where bytes before the last one never came, and what waited for them. */
    abstract void fill();

    /** Returns the bytes that were put into the queue; to be asked when it is done. */
    public abstract ByteRanges sent();

    /** Returns the position that the server counts from. */
    abstract long origin();

    /** Returns bytes as they are sent. */
    abstract ByteBuf framed(Taken bytes);

    /** Tells the server that there is no more. */
    abstract void sendEnd(List<Channel> connections);

    /** Returns what waits beside the queue, when the upload fails. */
    abstract List<Taken> remaining();

    /** The server had these before. */
    final void present(List<ByteRange> ranges) {
        reported.add(ranges);
    }

    final SendQueue queue() {
        return queue;
    }

    final String what() {
        return what;
    }

    final ClientLimits limits() {
        return limits;
    }

    /**
     * Ends it when everything is sent; told the server's last reply.
     *
     * @param filled whether holes become zeros; else they stay what they are, and in MODE S nothing behind one is sent
     */
    public final CompletableFuture<Reply> finish(boolean filled) {
        inLoop(() -> {
            if (failure == null && !finishing) {
                finishing = true;
                if (filled) {
                    fill();
                }
                pump();
            }
        });
        return done;
    }

    /** Returns the end of what was put into the queue, which in MODE S has no holes. */
    public final CompletableFuture<Long> taken() {
        CompletableFuture<Long> end = new CompletableFuture<>();
        inLoop(() -> {
            if (failure == null) {
                end.complete(sent().end());
            } else {
                end.completeExceptionally(failure);
            }
        });
        return end;
    }

    /**
     * Waits until the server has said that it has what was taken up to now. Where it says no such thing, as in MODE S and
     * in MODE E without restart markers, this is done after a while nevertheless.
     */
    public final CompletableFuture<Void> mark() {
        CompletableFuture<Void> known = new CompletableFuture<>();
        inLoop(() -> {
            if (failure != null) {
                known.completeExceptionally(failure);
            } else if (done.isDone()) {
                known.complete(null);
            } else {
                reported.await(sent().list(), known);
            }
        });
        return known.completeOnTimeout(null, MARK.toSeconds(), TimeUnit.SECONDS);
    }

    /** Ends it at once, and the session with it. */
    public final void cut() {
        inLoop(() -> fail(new BackendException(Code.UNAVAILABLE, what + ": given up")));
    }

    /** Returns what the server has said it has. */
    public final ByteRanges marked() {
        return reported.marked();
    }

    /** Sends what the connections take. */
    final void pump() {
        if (!begun.isDone() || failure != null || broken || ended) {
            return;
        }
        boolean going = true;
        while (going) {
            going = false;
            for (Channel lane : lanes) {
                going |= lane.isWritable() && send(lane);
            }
        }
        if (finishing && queue.isEmpty() && flying == 0) {
            ended = true;
            idleTicks = 0;
            sendEnd(lanes);
        }
    }

    private boolean send(Channel lane) {
        Optional<Taken> next = queue.next();
        if (next.isEmpty()) {
            return false;
        }
        Taken sending = next.get();
        int length = sending.bytes().readableBytes();
        flying++;
        lane.writeAndFlush(framed(sending)).addListener((ChannelFutureListener) sent -> {
            flying--;
            if (sent.isSuccess()) {
                advance(length);
                sending.sent().complete(null);
                pump();
            } else {
                doomed.add(sending.sent());
                failWithReason(Failures.lost(what + ": data connection", sent.cause()));
            }
        });
        return true;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void advance(int length) {
        moved += length;
        idleTicks = 0;
        listener.accept(reached());
    }

    /** Returns how many bytes the server has, as far as it says so; else how many are on their way to it. */
    public final long reached() {
        return reported.reached(moved);
    }

    /** Tells it of {@link #reached} whenever something moves, on the event loop. */
    public final void listen(LongConsumer progress) {
        listener = progress;
    }

    private void tick() {
        idleTicks++;
        boolean waits = flying > 0 || ended;
        if (!waits) {
            idleTicks = 0;
            return;
        }
        Duration limit = ended ? limits.end() : limits.stall();
        if (idleTicks * TICK_MILLIS > limit.toMillis()) {
            fail(Failures.late(what + ": after " + moved + " bytes", limit));
        }
    }

    /** Fails when the server does not say why within a moment; nothing more is sent, and no end above all. */
    private void failWithReason(BackendException otherwise) {
        broken = true;
        if (failure != null) {
            fail(failure);
            return;
        }
        session.loop().schedule(() -> fail(otherwise), GRACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends it; only the first call counts. */
    final void fail(BackendException why) {
        doomed.forEach(sent -> sent.completeExceptionally(failure == null ? why : failure));
        doomed.clear();
        if (failure != null || done.isDone()) {
            return;
        }
        failure = why;
        lanes.forEach(Lane::reset);
        close();
        if (last == null) {
            session.fail(why);
        }
        List<Taken> lost = new ArrayList<>(remaining());
        lost.addAll(queue.drain());
        lost.forEach(bytes -> bytes.drop(why));
        begun.completeExceptionally(why);
        done.completeExceptionally(why);
        reported.end(why);
    }

    /** A connection has ended. */
    final void lost(String reason) {
        if (!ended) {
            failWithReason(new BackendException(
                    Code.UNAVAILABLE,
                    what + ": Connection reset by peer: the data connection ended after " + moved + " bytes" + reason));
        }
    }

    private void close() {
        if (watching != null) {
            watching.cancel(false);
        }
        lanes.forEach(Channel::close);
    }
}
