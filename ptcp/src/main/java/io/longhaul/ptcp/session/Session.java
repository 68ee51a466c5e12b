package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.PtcpSnapshot;
import io.longhaul.ptcp.frame.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of everything that belongs to one session.
 *
 * <h2>States</h2>
 * {@code OPEN}: bytes flow. {@code CLOSING}: one end said where its stream ends, or both did; what was given is still
 * sent and received. {@code CLOSED}: sockets are closed, the listener knows why. A failure leads to {@code CLOSED} from
 * anywhere.
 *
 * <h2>What may be lost</h2>
 * A stream: its packets go out again on others, and the opener dials another one. The control channel: the opener dials
 * again; meanwhile packets flow as far as the window allows. The session fails when one of them is not back within
 * {@link PtcpConfig#restoreLimit}; when everything is gone, as soon as the opener cannot reach the other end.
 */
public final class Session implements PtcpSession {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final long HIGH_WATER_BYTES = 4L * 1024 * 1024;
    private static final long LOW_WATER_BYTES = 1024 * 1024;
    private static final long TICK_MILLIS = 100;
    private static final long ACK_MILLIS = 5;
    private static final long CLOSE_LIMIT_NS = Duration.ofSeconds(5).toNanos();

    /** The opener knows sooner; the other end only waits for it to come back. */
    private static final long ALL_GONE_NS = Duration.ofSeconds(2).toNanos();

    private static final long PING_NS = Duration.ofSeconds(1).toNanos();

    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final SessionTerms terms;
    private final PtcpConfig config;
    private final EventLoop loop;
    private final PtcpListener listener;
    private final Runnable ended;
    private final Queue<ByteBuf> given = new ConcurrentLinkedQueue<>();
    private final AtomicLong pendingBytes = new AtomicLong();
    private final AtomicBoolean collecting = new AtomicBoolean();
    private final Splitter splitter;
    private final Sender sender;
    private final Receiver receiver;
    private final Streams streams;
    private volatile State state = State.OPEN; // written on the event loop
    private volatile boolean writable = true; // written on the event loop
    private volatile SocketAddress remoteAddress; // written on the event loop
    private volatile SocketAddress localAddress; // written on the event loop
    private @Nullable ControlChannel control; // event loop only
    private long controlLostNs; // event loop only
    private boolean ackPlanned; // event loop only
    private long ownEnd = -1; // position, once it is known; event loop only
    private long peerEnd = -1; // position, once it is known; event loop only
    private long closingNs; // event loop only
    private @Nullable Future<?> ticks; // event loop only

    /**
     * Makes a session on the event loop of its control channel, where {@link #start} must be called.
     *
     * @param dialer of the end that opened the session; null at the other one
     * @param ended told on the event loop when the session is over
     */
    public Session(
            SessionTerms terms,
            PtcpConfig config,
            Channel controlChannel,
            @Nullable Dialer dialer,
            Function<PtcpSession, PtcpListener> listeners,
            Runnable ended) {
        this.terms = terms;
        this.config = config;
        this.loop = controlChannel.eventLoop();
        this.ended = ended;
        this.remoteAddress = controlChannel.remoteAddress();
        this.localAddress = controlChannel.localAddress();
        this.splitter =
                new Splitter(terms.packetBytes(), terms.windowBytes(), terms.peerWindowBytes(), controlChannel.alloc());
        this.sender = new Sender(splitter, this::nowNs);
        this.listener = listeners.apply(this);
        this.receiver = new Receiver(terms.windowBytes(), listener);
        this.streams = new Streams(this, terms, config, sender, splitter, dialer);
        this.control = new ControlChannel(controlChannel, nowNs());
    }

    /** Begins; on the event loop. */
    public void start() {
        if (control != null) {
            control.start(this);
        }
        ticks = loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        streams.maintain(nowNs());
    }

    /** Takes a data channel that proved to belong here. */
    public void join(int number, Channel channel) {
        later(() -> {
            if (state == State.CLOSED) {
                channel.close();
                return;
            }
            boolean first = !streams.hasJoined();
            streams.add(new DataChannel(number, channel, this, nowNs()), terms.packetBytes());
            if (first) {
                listener.opened();
            }
            pump();
        });
    }

    /** Takes a control channel in the place of the lost one. */
    public void resume(Channel channel) {
        later(() -> {
            if (state == State.CLOSED) {
                channel.close();
                return;
            }
            ControlChannel old = control;
            control = new ControlChannel(channel, nowNs());
            remoteAddress = channel.remoteAddress();
            localAddress = channel.localAddress();
            control.start(this);
            if (old != null) {
                old.close();
            }
            tell(receiver.ack());
            streams.tell();
            if (ownEnd >= 0) {
                tell(new Frame.Close(ownEnd));
            }
        });
    }

    /** Returns what both ends agreed on. */
    public SessionTerms terms() {
        return terms;
    }

    long nowNs() {
        return System.nanoTime();
    }

    /** Runs it on the event loop, at once when this is it. */
    void execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            later(task);
        }
    }

    /** Runs it on the event loop, never inside of what runs there now. */
    void later(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("session {}: its event loop has ended", id(), e);
        }
    }

    void afterPause(Runnable task, long pauseNs) {
        loop.schedule(task, pauseNs, TimeUnit.NANOSECONDS);
    }

    boolean hasJoined() {
        return streams.hasJoined();
    }

    long receivedBytes() {
        return receiver.next();
    }

    void tell(Frame frame) {
        if (control != null) {
            control.send(frame);
        }
    }

    @Override
    public void write(ByteBuf bytes) {
        if (state == State.CLOSED) {
            bytes.release();
            return;
        }
        pendingBytes.addAndGet(bytes.readableBytes());
        given.add(bytes);
        if (collecting.compareAndSet(false, true)) {
            execute(this::collect);
        }
    }

    private void collect() {
        collecting.set(false);
        ByteBuf bytes = given.poll();
        while (bytes != null) {
            if (ownEnd >= 0 || state == State.CLOSED) {
                pendingBytes.addAndGet(-bytes.readableBytes());
                bytes.release();
            } else {
                splitter.add(bytes);
            }
            bytes = given.poll();
        }
        pump();
    }

    void pump() {
        if (state == State.CLOSED) {
            return;
        }
        long before = splitter.queuedBytes();
        sender.pump();
        long pending = pendingBytes.addAndGet(splitter.queuedBytes() - before);
        if (writable ? pending > HIGH_WATER_BYTES : pending < LOW_WATER_BYTES) {
            writable = !writable;
            listener.writabilityChanged(writable);
        }
    }

    void received(DataChannel from, List<Fragment> batch) {
        if (state == State.CLOSED) {
            Receiver.drop(batch);
            return;
        }
        try {
            receiver.received(batch);
        } catch (PtcpException e) {
            if (e.code() == PtcpException.Code.PROTOCOL) {
                offended(from, e);
            } else {
                fail(e);
                return;
            }
        }
        acknowledge();
        checkEnd();
    }

    private void acknowledge() {
        if (receiver.isAckUrgent()) {
            tell(receiver.ack());
        } else if (!ackPlanned && receiver.isAckDue()) {
            ackPlanned = true;
            loop.schedule(this::acknowledgeNow, ACK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void acknowledgeNow() {
        ackPlanned = false;
        if (state != State.CLOSED && receiver.isAckDue()) {
            tell(receiver.ack());
        }
    }

    void control(ControlChannel from, Frame frame) {
        if (state == State.CLOSED || from != control) {
            return;
        }
        long nowNs = nowNs();
        from.heard(nowNs);
        try {
            switch (frame.type()) {
                case PING -> tell(new Frame.Pong(((Frame.Ping) frame).token()));
                case PONG -> from.answered(((Frame.Pong) frame).token(), nowNs & Long.MAX_VALUE);
                case ACK -> acknowledged((Frame.Ack) frame, nowNs);
                case STREAMS -> streams.wanted(((Frame.Streams) frame).wanted(), nowNs);
                case LOST -> streams.peerLost(((Frame.Lost) frame).number());
                case RETIRE -> streams.peerRetired(((Frame.Retire) frame).number(), nowNs);
                case CLOSE -> peerCloses(((Frame.Close) frame).position());
                case ABORT ->
                    fail(new PtcpException(
                            PtcpException.Code.ABORTED,
                            "the other end aborted the session: " + ((Frame.Abort) frame).reason()));
                case DATA -> throw new IllegalStateException("decoded frames are never packets");
            }
        } catch (PtcpException e) {
            fail(e);
        }
    }

    private void acknowledged(Frame.Ack ack, long nowNs) {
        if (splitter.acknowledged(ack.next(), ack.limit())) {
            streams.progressed(nowNs);
            pump();
        }
        checkEnd();
    }

    /** A stream broke the protocol: it ends, the session goes on. */
    void offended(DataChannel channel, PtcpException e) {
        streams.offended(channel, e);
    }

    void lost(DataChannel channel) {
        if (state == State.CLOSED) {
            return;
        }
        streams.lost(channel, nowNs());
        pump();
    }

    void lost(ControlChannel channel) {
        if (state == State.CLOSED || channel != control) {
            return;
        }
        control = null;
        controlLostNs = nowNs();
        if (!finishIfEnded()) {
            streams.restoreControl(this);
        }
    }

    boolean isControlLost() {
        return control == null && state != State.CLOSED;
    }

    /** Returns whether nothing is left; then the next failure to restore something is the end. */
    boolean isAllGone() {
        return control == null && streams.isEmpty();
    }

    private void tick() {
        long nowNs = nowNs();
        streams.tick(nowNs, control == null ? 0 : control.roundTripNs());
        long restoreNs = Math.min(config.restoreLimit().toNanos(), isAllGone() ? ALL_GONE_NS : Long.MAX_VALUE);
        if (control != null) {
            if (!control.isAlive(nowNs, PING_NS, config.keepAlive().toNanos())) {
                control.close();
            }
        } else if (nowNs - controlLostNs > restoreNs) {
            fail(new PtcpException(
                    PtcpException.Code.LOST,
                    "connection lost: no control channel for " + TimeUnit.NANOSECONDS.toMillis(restoreNs) + " ms"));
        }
        if (state != State.CLOSED && streams.isWithoutAny(nowNs, restoreNs)) {
            fail(new PtcpException(
                    PtcpException.Code.LOST,
                    "connection lost: no stream for " + config.restoreLimit().toMillis() + " ms"));
        }
        if (state == State.CLOSING && nowNs - closingNs > CLOSE_LIMIT_NS) {
            finish(null);
        }
    }

    @Override
    public void close() {
        later(() -> {
            collect();
            closeOwnEnd();
            checkEnd();
        });
    }

    private void closeOwnEnd() {
        if (state == State.CLOSED || ownEnd >= 0) {
            return;
        }
        if (state == State.OPEN) {
            state = State.CLOSING;
            closingNs = nowNs();
        }
        ownEnd = splitter.position() + splitter.queuedBytes();
        tell(new Frame.Close(ownEnd));
    }

    private void peerCloses(long position) {
        if (position < receiver.next()) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a stream that ends at " + position + ", received up to " + receiver.next());
        }
        peerEnd = position;
        if (state == State.OPEN) {
            state = State.CLOSING;
            closingNs = nowNs();
        }
        checkEnd();
    }

    private void checkEnd() {
        if (state == State.CLOSING && peerEnd >= 0 && receiver.consumed() >= peerEnd) {
            closeOwnEnd();
            if (splitter.acknowledged() >= ownEnd) {
                finish(null);
            }
        }
    }

    /** Without a control channel nobody can say that the last bytes arrived. */
    private boolean finishIfEnded() {
        if (state == State.CLOSING && peerEnd >= 0 && receiver.consumed() >= peerEnd) {
            finish(null);
            return true;
        }
        return false;
    }

    @Override
    public void abort(String reason) {
        later(() -> {
            if (state != State.CLOSED) {
                tell(new Frame.Abort(reason));
                finish(new PtcpException(PtcpException.Code.ABORTED, "this end aborted the session: " + reason));
            }
        });
    }

    void fail(PtcpException cause) {
        if (state != State.CLOSED) {
            if (cause.code() != PtcpException.Code.LOST) {
                tell(new Frame.Abort(String.valueOf(cause.getMessage())));
            }
            finish(cause);
        }
    }

    private void finish(@Nullable PtcpException cause) {
        if (state == State.CLOSED) {
            return;
        }
        if (cause == null) {
            tell(receiver.ack());
        }
        state = State.CLOSED;
        if (ticks != null) {
            ticks.cancel(false);
        }
        streams.close();
        if (control != null) {
            control.close();
        }
        collect();
        splitter.release();
        receiver.release();
        ended.run();
        listener.closed(cause);
    }

    @Override
    public String id() {
        return terms.id().toString();
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void setReading(boolean reading) {
        later(() -> {
            if (state != State.CLOSED) {
                try {
                    receiver.setReading(reading);
                    acknowledge();
                    checkEnd();
                } catch (PtcpException e) {
                    fail(e);
                }
            }
        });
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public SocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public Executor executor() {
        return loop;
    }

    @Override
    public PtcpSnapshot snapshot() {
        return streams.snapshot();
    }
}
