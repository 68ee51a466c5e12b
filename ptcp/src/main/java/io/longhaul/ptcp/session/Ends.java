package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Frame;
import java.time.Duration;

/** Where both streams of a session end, as far as that is known; event loop only. */
final class Ends {
    private static final long LIMIT_NS = Duration.ofSeconds(5).toNanos();
    private static final long UNKNOWN = -1;

    private final Splitter splitter;
    private final Receiver receiver;
    private long own = UNKNOWN;
    private long peers = UNKNOWN;
    private long sinceNs;

    Ends(Splitter splitter, Receiver receiver) {
        this.splitter = splitter;
        this.receiver = receiver;
    }

    boolean isOwnKnown() {
        return own != UNKNOWN;
    }

    /** The own stream ends with what was given so far; returns what tells the other end. */
    Frame.Close closeOwn(long nowNs) {
        begin(nowNs);
        own = splitter.position() + splitter.queuedBytes();
        return new Frame.Close(own);
    }

    /** Says it again, on a new control channel. */
    Frame.Close again() {
        return new Frame.Close(own);
    }

    /** The other end says where its stream ends; throws {@link PtcpException} PROTOCOL. */
    void closePeers(long position, long nowNs) {
        if (position < receiver.next()) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a stream that ends at " + position + ", received up to " + receiver.next());
        }
        begin(nowNs);
        peers = position;
    }

    private void begin(long nowNs) {
        if (own == UNKNOWN && peers == UNKNOWN) {
            sinceNs = nowNs;
        }
    }

    /** Returns whether the reader has had all of the other end's stream. */
    boolean isAllReceived() {
        return peers != UNKNOWN && receiver.consumed() >= peers;
    }

    /** Returns whether the other end has all of ours. */
    boolean isAllSent() {
        return own != UNKNOWN && splitter.acknowledged() >= own;
    }

    /** Returns whether closing has taken longer than anybody waits. */
    boolean isOverdue(long nowNs) {
        return (own != UNKNOWN || peers != UNKNOWN) && nowNs - sinceNs > LIMIT_NS;
    }
}
