package io.longhaul.ptcp.session;

import io.longhaul.ptcp.frame.Frame;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The control channel of a session, there or lost; event loop only, but for the addresses. */
final class ControlLink {
    private @Nullable ControlChannel channel;
    private long lostNs;
    private volatile SocketAddress remoteAddress; // written on the event loop
    private volatile SocketAddress localAddress; // written on the event loop

    ControlLink(Channel first, long nowNs) {
        this.channel = new ControlChannel(first, nowNs);
        this.remoteAddress = first.remoteAddress();
        this.localAddress = first.localAddress();
    }

    void start(Session session) {
        if (channel != null) {
            channel.start(session);
        }
    }

    /** Takes another channel in the place of this one. */
    void replace(Channel next, Session session, long nowNs) {
        ControlChannel old = channel;
        channel = new ControlChannel(next, nowNs);
        remoteAddress = next.remoteAddress();
        localAddress = next.localAddress();
        channel.start(session);
        if (old != null) {
            old.close();
        }
    }

    /** Sends a frame; without a channel it is dropped, and what matters is said again on the next one. */
    void tell(Frame frame) {
        if (channel != null) {
            channel.send(frame);
        }
    }

    boolean isCurrent(ControlChannel candidate) {
        return candidate == channel;
    }

    void lost(long nowNs) {
        channel = null;
        lostNs = nowNs;
    }

    boolean isLost() {
        return channel == null;
    }

    boolean isLostFor(long nowNs, long limitNs) {
        return channel == null && nowNs - lostNs > limitNs;
    }

    /** Closes the channel when the other end gives no sign of life. */
    void check(long nowNs, long askEveryNs, long keepAliveNs) {
        if (channel != null && !channel.isAlive(nowNs, askEveryNs, keepAliveNs)) {
            channel.close();
        }
    }

    Pulse pulse(long nowNs) {
        return channel == null
                ? new Pulse(0, Long.MAX_VALUE)
                : new Pulse(channel.roundTripNs(), channel.silentNs(nowNs));
    }

    /**
     * How the other end answers.
     *
     * @param roundTripNs from a question to its answer; 0 while unknown
     * @param silentNs since something came; the greatest number while there is no channel
     */
    record Pulse(long roundTripNs, long silentNs) {
        /** Of a session that has just begun. */
        static final Pulse FIRST = new Pulse(0, 0);
    }

    SocketAddress remoteAddress() {
        return remoteAddress;
    }

    SocketAddress localAddress() {
        return localAddress;
    }

    /**
     * Nothing is said any more: an acknowledgement that was planned would find its end gone, and close it too soon. Runs
     * {@code ended} once the other end has heard the last word, or cannot: were its streams gone before that, it would
     * dial others in vain, and take the session for lost.
     */
    void end(SessionLoop loop, Runnable ended) {
        ControlChannel last = channel;
        channel = null;
        if (last == null) {
            ended.run();
        } else {
            last.end(loop, ended);
        }
    }
}
