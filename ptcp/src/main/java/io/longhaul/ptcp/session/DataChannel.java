package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSnapshot;
import io.longhaul.ptcp.frame.FrameType;
import io.longhaul.ptcp.frame.Header;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One stream of a session: a TCP connection that carries packets both ways; on the session's event loop, as its socket. */
final class DataChannel {
    private static final Logger LOG = LoggerFactory.getLogger(DataChannel.class);

    private static final OncePerSecond OFFENCES =
            new OncePerSecond((kind, story) -> LOG.warn("{}", story), System::nanoTime);

    /** The spare of a socket whose room is counted has place for such a one. */
    private static final int SMALL_PACKET_BYTES = 64 * 1024;

    private final int number;
    private final Channel channel;
    private final Session session;
    private final SendRoom room = new SendRoom();
    private final @Nullable SocketTuning tuning;
    private final LowWater lowWater;
    private final long startNs;
    private long sentBytes;
    private long receivedBytes;
    private long heardNs;
    private long askedNs;
    private boolean answering;
    private boolean retired;
    private long retiredNs;
    private long retransmits;

    DataChannel(int number, Channel channel, Session session, long nowNs, int mostUnreadBytes) {
        this.number = number;
        this.channel = channel;
        this.session = session;
        this.tuning = channel instanceof EpollSocketChannel socket ? new SocketTuning(socket, room) : null;
        this.lowWater = new LowWater(channel, System::nanoTime, mostUnreadBytes);
        this.startNs = nowNs;
        this.heardNs = nowNs;
        this.askedNs = nowNs;
    }

    /** Begins to read. */
    void start(int packetBytes) {
        Takeover.of(channel, new PacketDecoder(packetBytes, this, lowWater));
        channel.closeFuture().addListener(closed -> session.loop().execute(() -> session.lost(this)));
    }

    int number() {
        return number;
    }

    /** Returns how long ago it was made. */
    long ageNs(long nowNs) {
        return nowNs - startNs;
    }

    boolean takesPackets() {
        return !retired && room.isLeft() && channel.isWritable();
    }

    /** Returns how much it should be given at once: of a slow stream less, as all that others carry waits for it. */
    int mostBytes() {
        long most = Math.max(SMALL_PACKET_BYTES, room.left());
        return (int) Math.min(channel.config().getWriteBufferHighWaterMark(), most);
    }

    void send(Packet packet, long nowNs) {
        packet.sent(number, nowNs);
        sentBytes += packet.length();
        room.used(packet.length());
        ByteBuf header = channel.alloc().directBuffer(Header.BYTES);
        new Header(FrameType.DATA, packet.length(), packet.position()).write(header);
        channel.write(header, channel.voidPromise());
        channel.write(packet.take(), channel.voidPromise());
    }

    void flush() {
        channel.flush();
    }

    /** Reads what came of a packet when the rest does not follow. */
    void tick() {
        lowWater.tick();
    }

    /** Sends a question when nothing was heard for a while; returns false when earlier ones were in vain. */
    boolean isAlive(long nowNs, long keepAliveNs) {
        if (nowNs - heardNs > 3 * keepAliveNs) {
            return false;
        }
        if (nowNs - heardNs > keepAliveNs && nowNs - askedNs > keepAliveNs) {
            askedNs = nowNs;
            send(new Header(FrameType.PING, 0, 0));
        }
        return true;
    }

    private void send(Header header) {
        ByteBuf out = channel.alloc().directBuffer(Header.BYTES);
        header.write(out);
        channel.writeAndFlush(out, channel.voidPromise());
    }

    /** Counts again from here: while it carries something, the stall limit judges it. */
    void spare(long nowNs) {
        heardNs = nowNs;
    }

    void retire(long nowNs) {
        if (!retired) {
            retired = true;
            retiredNs = nowNs;
        }
    }

    boolean isRetired() {
        return retired;
    }

    long retiredNs() {
        return retiredNs;
    }

    void close() {
        channel.close();
    }

    /** The other end broke the protocol: this stream ends, the session goes on. */
    void offended(PtcpException e) {
        OFFENCES.accept(
                "offence",
                "session " + session.id() + ": stream " + number + " from " + channel.remoteAddress() + " closed: "
                        + e.getMessage());
        channel.close();
    }

    boolean isShortOfRoom() {
        return room.isLow();
    }

    /** Asks TCP how it is, so how much the socket may be given and how much held; null where it does not say. */
    @Nullable
    TcpState look() {
        if (tuning == null || !channel.isOpen()) {
            return null;
        }
        try {
            return tuning.look();
        } catch (ChannelException e) {
            LOG.debug("session {}: stream {} was closed meanwhile", session.id(), number, e);
            return null;
        }
    }

    /** Returns whether TCP waits for an answer and has had none for so long; false where it does not say. */
    boolean isUnanswered(long limitNs) {
        TcpState state = look();
        return state != null && state.underWayBytes() > 0 && state.unansweredNs() > limitNs;
    }

    /** Returns whether there are more retransmissions than at the last call. */
    boolean isNewLoss(long count) {
        long before = retransmits;
        retransmits = count;
        return count > before;
    }

    PtcpSnapshot.Stream snapshot() {
        return new PtcpSnapshot.Stream(number, sentBytes, receivedBytes);
    }

    /** Bytes came. */
    void received(List<Fragment> batch) {
        for (Fragment fragment : batch) {
            receivedBytes += fragment.bytes().readableBytes();
        }
        alive();
        try {
            session.received(this, batch);
        } catch (RuntimeException | Error e) {
            // without memory to keep them: the other end sends them again on another stream
            channel.close();
            throw e;
        }
    }

    /**
     * The other end wants a sign of life, which must not fall between header and bytes.
     *
     * <p>One answer at a time, and none behind what the other end does not read, which is sign enough: else its questions
     * would fill the memory of this end.
     */
    void asked(long token) {
        if (!answering) {
            answering = true;
            session.loop().execute(() -> {
                answering = false;
                if (channel.isWritable()) {
                    send(new Header(FrameType.PONG, 0, token));
                }
            });
        }
    }

    /** A sign of life came. */
    void alive() {
        heardNs = session.loop().nowNs();
    }

    /** The socket takes more, or no more. */
    void writabilityChanged() {
        if (channel.isWritable()) {
            session.pump();
        }
    }

    /** The other end broke the protocol; only this stream ends. */
    void failed(PtcpException e) {
        session.loop().execute(() -> offended(e));
    }
}
