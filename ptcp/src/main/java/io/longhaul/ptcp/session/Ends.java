package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Frame;
import java.util.Optional;

/** Where both streams of a session end, as far as that is known; event loop only. */
final class Ends {
    private static final long UNKNOWN = -1;

    private final Splitter splitter;
    private final Receiver receiver;
    private final long limitNs;
    private long own = UNKNOWN;
    private long peers = UNKNOWN;
    private long moved = UNKNOWN; // what had been sent and received when it was looked at last
    private long movedNs;

    /** Takes how long nothing may move once an end is known. */
    Ends(Splitter splitter, Receiver receiver, long limitNs) {
        this.splitter = splitter;
        this.receiver = receiver;
        this.limitNs = limitNs;
    }

    boolean isOwnKnown() {
        return own != UNKNOWN;
    }

    /** The own stream ends with what was given so far; returns what tells the other end. */
    Frame.Close closeOwn() {
        own = splitter.position() + splitter.queuedBytes();
        return new Frame.Close(own);
    }

    /** Returns what tells the other end again, on a new control channel. */
    Optional<Frame> own() {
        return isOwnKnown() ? Optional.of(new Frame.Close(own)) : Optional.empty();
    }

    /** The other end says where its stream ends; throws {@link PtcpException} PROTOCOL. */
    void closePeers(long position) {
        if (peers != UNKNOWN && position != peers) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL, "a stream that ends at " + position + ", and at " + peers + " before");
        }
        receiver.endAt(position);
        peers = position;
    }

    /** Returns whether the reader has had all of the other end's stream. */
    boolean isAllReceived() {
        return peers != UNKNOWN && receiver.consumed() >= peers;
    }

    /** Returns whether the other end has all of ours. */
    boolean isAllSent() {
        return own != UNKNOWN && splitter.acknowledged() >= own;
    }

    /** Returns whether the other end has all of ours and all of its own is here, but the reader has not had it all yet. */
    boolean isReaderLate() {
        return peers != UNKNOWN
                && receiver.next() >= peers
                && receiver.consumed() < peers
                && splitter.acknowledged() >= splitter.position() + splitter.queuedBytes();
    }

    /** Looks whether anything moves; returns whether the session is closing and nothing has for the limit. */
    boolean isStuck(long nowNs) {
        // who does not answer a close may not keep it open by sending on
        boolean counts = own == UNKNOWN || peers != UNKNOWN;
        long now = splitter.acknowledged() + (counts ? receiver.next() + receiver.consumed() : 0);
        boolean closing = own != UNKNOWN || peers != UNKNOWN;
        if (!closing || now != moved) {
            moved = now;
            movedNs = nowNs;
        }
        return nowNs - movedNs > limitNs;
    }

    /** Returns what is missing, for a person. */
    String missing() {
        return (own == UNKNOWN ? "" : own - splitter.acknowledged() + " bytes were not received there, ")
                + (peers == UNKNOWN
                        ? "the end of what comes from there is not known"
                        : peers - receiver.consumed() + " bytes were not read here");
    }
}
