package io.longhaul.ptcp.session;

import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import java.net.SocketAddress;
import java.time.Duration;

/** The TCP connection that carries control frames; on the session's event loop, as its socket. */
final class ControlChannel {
    private static final long END_NS = Duration.ofSeconds(1).toNanos();

    private final Channel channel;
    private final long startNs;
    private long heardNs;
    private long askedNs;
    private long roundTripNs;
    private boolean full; // and closed for it

    ControlChannel(Channel channel, long nowNs) {
        this.channel = channel;
        this.startNs = nowNs;
        this.heardNs = nowNs;
        this.askedNs = nowNs;
    }

    /** Begins to read. */
    void start(Session session) {
        Takeover.of(
                channel,
                new ControlDecoder(
                        frame -> session.control(this, frame),
                        failure -> session.loop().execute(() -> session.fail(failure))));
        channel.closeFuture().addListener(closed -> session.loop().execute(() -> session.lost(this)));
    }

    /**
     * Sends a frame. A channel that is full of them ends: nobody reads it, and they would fill the memory of this end.
     * It is closed once: with TLS that takes seconds, and every further close would wait in memory as well.
     */
    void send(Frame frame) {
        if (full) {
            return;
        }
        if (!channel.isWritable()) {
            full = true;
            channel.close();
            return;
        }
        ByteBuf out = channel.alloc().directBuffer(Header.BYTES + Frame.MOST_BYTES);
        frame.write(out);
        channel.writeAndFlush(out, channel.voidPromise());
    }

    /** Returns how long ago it was made. */
    long ageNs(long nowNs) {
        return nowNs - startNs;
    }

    void heard(long nowNs) {
        heardNs = nowNs;
    }

    /** Takes an answer with the time in it; one to what was never asked says nothing. */
    void answered(long token, long nowNs) {
        long tookNs = token(nowNs) - token;
        if (tookNs >= 0 && tookNs <= ageNs(nowNs)) {
            roundTripNs = Math.max(1, tookNs);
        }
    }

    private static long token(long nowNs) {
        return nowNs & Long.MAX_VALUE;
    }

    long silentNs(long nowNs) {
        return nowNs - heardNs;
    }

    long roundTripNs() {
        return roundTripNs;
    }

    /** Asks for a sign of life when it is time; returns false when earlier questions were in vain. */
    boolean isAlive(long nowNs, long askEveryNs, long keepAliveNs) {
        if (nowNs - askedNs >= askEveryNs) {
            askedNs = nowNs;
            send(new Frame.Ping(token(nowNs)));
        }
        return silentNs(nowNs) <= 3 * keepAliveNs;
    }

    SocketAddress remoteAddress() {
        return channel.remoteAddress();
    }

    SocketAddress localAddress() {
        return channel.localAddress();
    }

    void close() {
        channel.close();
    }

    /**
     * Says no more, and closes once the other end has: if it were closed at once, and something came after that, the
     * system would reset the connection, and the other end might never read why. Runs {@code ended} when it is closed.
     */
    void end(SessionLoop loop, Runnable ended) {
        channel.closeFuture().addListener(closed -> loop.execute(ended));
        if (channel instanceof DuplexChannel socket && channel.isWritable()) {
            // behind what was written, and with TLS behind its end
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> socket.shutdownOutput());
            loop.afterPause(channel::close, END_NS);
        } else {
            channel.close();
        }
    }
}
