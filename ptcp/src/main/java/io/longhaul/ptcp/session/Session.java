package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.PtcpSnapshot;
import io.longhaul.ptcp.frame.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
 * {@link PtcpConfig#restoreLimit}; with both gone, as soon as the opener cannot reach the other end, or after 2 s of that.
 */
public final class Session implements PtcpSession {
    private static final long ALL_GONE_NS = Duration.ofSeconds(2).toNanos();
    private static final long PING_NS = Duration.ofSeconds(1).toNanos();

    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final SessionTerms terms;
    private final PtcpConfig config;
    private final SessionLoop loop;
    private final PtcpListener listener;
    private final SessionOwner owner;
    private final Splitter splitter;
    private final Sender sender;
    private final Receiver receiver;
    private final Streams streams;
    private final WriteQueue writes;
    private final Ends ends;
    private final ControlLink control;
    private final Acknowledger acks;
    private final UnusedWindow unused;
    private final Ticks ticks;
    private volatile State state = State.OPEN; // written on the event loop

    /**
     * Makes a session on the event loop of its control channel, where {@link #start} must be called.
     *
     * @param dialer of the end that opened the session; null at the other one
     * @param owner told on the event loop when the session is over
     */
    public Session(
            SessionTerms terms,
            PtcpConfig config,
            Channel controlChannel,
            @Nullable Dialer dialer,
            Function<PtcpSession, PtcpListener> listeners,
            SessionOwner owner,
            LongSupplier nanoTime) {
        this.terms = terms;
        this.config = config;
        this.loop = new SessionLoop(id(), controlChannel.eventLoop(), nanoTime);
        this.owner = owner;
        ResendRoom resendRoom = new ResendRoom(config.firstWindowBytes(), terms.windowBytes(), WindowBudget.PROCESS);
        this.splitter = new Splitter(terms.packetBytes(), resendRoom, terms.peerWindowBytes(), controlChannel.alloc());
        this.sender = new Sender(splitter, loop::nowNs);
        this.listener = new GuardedListener(listeners.apply(this), this);
        Window window = new Window(config.firstWindowBytes(), terms.windowBytes(), WindowBudget.PROCESS, loop::nowNs);
        this.receiver = new Receiver(window, owner::isTrusted, listener);
        this.streams = new Streams(this, terms, config, sender, splitter, dialer);
        this.writes = new WriteQueue(splitter, listener);
        this.ends = new Ends(splitter, receiver, config.restoreLimit().toNanos());
        this.control = new ControlLink(controlChannel, loop.nowNs());
        this.acks = new Acknowledger(loop, receiver, control);
        this.unused = new UnusedWindow(splitter, control, terms.peerWindowBytes(), loop.nowNs());
        this.ticks = new Ticks(loop, this::tick, splitter::isBusy);
    }

    /** Begins; on the event loop. */
    public void start() {
        control.start(this);
        ticks.start();
        streams.maintain(loop.nowNs());
    }

    /** Takes a data channel that proved to belong here, to the one event loop that does all for this session. */
    public void join(int number, Channel channel) {
        loop.take(channel, () -> {
            if (state == State.CLOSED) {
                channel.close();
                return;
            }
            boolean first = !streams.hasJoined();
            int mostUnread = LowWater.boundBytes(config.socketBufferBytes());
            streams.add(new DataChannel(number, channel, this, loop.nowNs(), mostUnread), terms.packetBytes());
            if (first) {
                listener.opened();
            }
            pump();
        });
    }

    /** Takes a control channel in the place of the lost one. */
    public void resume(Channel channel) {
        loop.take(channel, () -> {
            if (state == State.CLOSED) {
                channel.close();
                return;
            }
            control.replace(channel, this, loop.nowNs());
            acks.now();
            streams.tell();
            unused.tell();
            ends.own().ifPresent(this::tell);
            checkEnd();
        });
    }

    /** Returns what both ends agreed on. */
    public SessionTerms terms() {
        return terms;
    }

    SessionLoop loop() {
        return loop;
    }

    boolean hasJoined() {
        return streams.hasJoined();
    }

    long receivedBytes() {
        return receiver.next();
    }

    void tell(Frame frame) {
        control.tell(frame);
    }

    @Override
    public void write(ByteBuf bytes) {
        if (state == State.CLOSED) {
            bytes.release();
        } else if (writes.add(bytes)) {
            loop.now(this::collect);
        }
    }

    private void collect() {
        writes.collect(ends.isOwnKnown() || state == State.CLOSED);
        pump();
    }

    void pump() {
        if (state != State.CLOSED) {
            writes.pump(sender);
            ticks.hurryWhenBusy();
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
                from.offended(e);
            } else {
                fail(e);
                return;
            }
        }
        acks.progressed();
        checkEnd();
    }

    void control(ControlChannel from, Frame frame) {
        if (state == State.CLOSED || !control.isCurrent(from)) {
            return;
        }
        long nowNs = loop.nowNs();
        from.heard(nowNs);
        try {
            switch (frame.type()) {
                case PING -> tell(new Frame.Pong(((Frame.Ping) frame).token()));
                case PONG -> from.answered(((Frame.Pong) frame).token(), nowNs);
                case ACK -> acknowledged((Frame.Ack) frame, nowNs);
                case STREAMS -> {
                    streams.wanted(((Frame.Streams) frame).wanted());
                    ticks.hurry();
                }
                case LOST -> streams.peerLost(((Frame.Lost) frame).number());
                case RETIRE -> streams.peerRetired(((Frame.Retire) frame).number(), nowNs);
                case CLOSE -> {
                    ends.closePeers(((Frame.Close) frame).position());
                    state = State.CLOSING;
                    checkEnd();
                }
                case GIVE_BACK -> receiver.givenBack(((Frame.GiveBack) frame).bytes());
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

    void lost(DataChannel channel) {
        if (state != State.CLOSED) {
            streams.lost(channel, loop.nowNs());
            pump();
        }
    }

    void lost(ControlChannel channel) {
        if (state == State.CLOSED || !control.isCurrent(channel)) {
            return;
        }
        control.lost(loop.nowNs());
        if (!owner.isTrusted()) {
            fail(new PtcpException(PtcpException.Code.LOST, "connection lost before its user was known"));
        } else {
            streams.restoreControl(channel.ageNs(loop.nowNs()));
        }
    }

    boolean isControlLost() {
        return control.isLost() && state != State.CLOSED;
    }

    /** Returns whether nothing is left; then the next failure to restore something is the end. */
    boolean isAllGone() {
        return control.isLost() && streams.isEmpty();
    }

    private void tick() {
        long nowNs = loop.nowNs();
        streams.tick(nowNs, control.pulse(nowNs));
        boolean allGone = control.isLostFor(nowNs, ALL_GONE_NS) && streams.isWithoutAny(nowNs, ALL_GONE_NS);
        long restoreNs = Math.min(config.restoreLimit().toNanos(), allGone ? ALL_GONE_NS : Long.MAX_VALUE);
        control.check(nowNs, PING_NS, config.keepAlive().toNanos());
        unused.tick(nowNs);
        boolean controlLost = control.isLostFor(nowNs, restoreNs);
        if (controlLost || streams.isWithoutAny(nowNs, restoreNs)) {
            String what = (controlLost ? "control channel for " : "stream for ") + restoreNs / 1_000_000;
            fail(new PtcpException(PtcpException.Code.LOST, "connection lost: no " + what + " ms"));
        }
        if (ends.isStuck(nowNs)) {
            finish(new PtcpException(PtcpException.Code.LOST, "nothing moves while it is closed: " + ends.missing()));
        }
    }

    @Override
    public void close() {
        loop.execute(() -> {
            collect();
            closeOwnEnd();
            checkEnd();
        });
    }

    private void closeOwnEnd() {
        if (state != State.CLOSED && !ends.isOwnKnown()) {
            state = State.CLOSING;
            tell(ends.closeOwn());
        }
    }

    /** Without a control channel it waits for one: the other end has not heard that everything was received. */
    private void checkEnd() {
        if (state == State.CLOSING && ends.isAllReceived()) {
            closeOwnEnd();
            if (ends.isAllSent() && !control.isLost()) {
                finish(null);
            }
        }
    }

    @Override
    public void abort(String reason) {
        loop.execute(() -> {
            if (state != State.CLOSED) {
                tell(new Frame.Abort(reason));
                finish(new PtcpException(PtcpException.Code.ABORTED, "this end aborted the session: " + reason));
            }
        });
    }

    /** Who has everything ends in order when the other end, which may have as well, is lost. */
    void fail(PtcpException cause) {
        boolean lost = cause.code() == PtcpException.Code.LOST;
        if (lost && owner.isTrusted() && ends.isReaderLate()) {
            return; // it takes what is here, for which nobody needs the other end
        }
        if (!lost && state != State.CLOSED) {
            tell(new Frame.Abort(String.valueOf(cause.getMessage())));
        }
        finish(lost && ends.isAllReceived() && ends.isAllSent() ? null : cause);
    }

    private void finish(@Nullable PtcpException cause) {
        if (state == State.CLOSED) {
            return;
        }
        if (cause == null) {
            acks.now();
        }
        state = State.CLOSED;
        ticks.end();
        streams.end();
        control.end(loop, streams::close);
        collect();
        splitter.release();
        receiver.release();
        owner.ended(cause);
        listener.closed(cause);
    }

    @Override
    public String id() {
        return terms.id().toString();
    }

    @Override
    public boolean isWritable() {
        return writes.isWritable();
    }

    @Override
    public void setReading(boolean reading) {
        loop.execute(() -> {
            if (state != State.CLOSED) {
                try {
                    receiver.setReading(reading);
                    acks.progressed();
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
    public void trust() {
        owner.trust();
    }

    @Override
    public SocketAddress remoteAddress() {
        return control.remoteAddress();
    }

    @Override
    public SocketAddress localAddress() {
        return control.localAddress();
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
