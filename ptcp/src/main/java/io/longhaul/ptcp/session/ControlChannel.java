package io.longhaul.ptcp.session;

import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.Header;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.SocketAddress;

/** The TCP connection that carries control frames; called on the session's event loop. */
final class ControlChannel {
    private final Channel channel;
    private long heardNs;
    private long askedNs;
    private long roundTripNs;

    ControlChannel(Channel channel, long nowNs) {
        this.channel = channel;
        this.heardNs = nowNs;
        this.askedNs = nowNs;
    }

    /** Begins to read. */
    void start(Session session) {
        Takeover.of(
                channel,
                new ControlDecoder(
                        frame -> session.loop().now(() -> session.control(this, frame)),
                        failure -> session.loop().execute(() -> session.fail(failure))));
        channel.closeFuture().addListener(closed -> session.loop().execute(() -> session.lost(this)));
    }

    void send(Frame frame) {
        ByteBuf out = channel.alloc().directBuffer(Header.BYTES + Frame.MOST_BYTES);
        frame.write(out);
        channel.writeAndFlush(out, channel.voidPromise());
    }

    void heard(long nowNs) {
        heardNs = nowNs;
    }

    void answered(long askedAtNs, long nowNs) {
        roundTripNs = Math.max(1, nowNs - askedAtNs);
    }

    long roundTripNs() {
        return roundTripNs;
    }

    /** Asks for a sign of life when it is time; returns false when earlier questions were in vain. */
    boolean isAlive(long nowNs, long askEveryNs, long keepAliveNs) {
        if (nowNs - askedNs >= askEveryNs) {
            askedNs = nowNs;
            send(new Frame.Ping(nowNs & Long.MAX_VALUE));
        }
        return nowNs - heardNs <= 3 * keepAliveNs;
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
}
