package io.longhaul.broker.link;

import io.netty.buffer.ByteBuf;
import java.util.Set;

/** What one broker says to another over a link. */
public sealed interface LinkFrame {

    /**
     * The first frame of the broker that opened the link.
     *
     * @param version of the protocol
     * @param broker its name
     * @param user its account at the other broker; empty for none
     */
    record Hello(int version, String broker, String user, String password) implements LinkFrame {
        @Override
        public String toString() {
            return "Hello[version=" + version + ", broker=" + broker + ", user=" + user + "]";
        }
    }

    /** The link stands. */
    record Welcome(int version, String broker) implements LinkFrame {}

    /** The link is refused; the session ends. */
    record Refused(Reason reason, String text) implements LinkFrame {}

    /** Why a link is refused. */
    enum Reason {
        /** The versions of the protocol do not fit. */
        VERSION(0),
        /** Unknown user, wrong password, or a user without the right to link. */
        LOGIN(1),
        /** Both brokers have the same name. */
        SAME_NAME(2),
        /** There is a link already, opened from the other side. */
        LINKED(3),
        /** The frame was not what is expected. */
        PROTOCOL(4),
        /** The login was not looked at, as too many others came: the same may be let in a moment later. */
        LATER(5);

        private final int code;

        Reason(int code) {
            this.code = code;
        }

        /** Returns its number on the wire. */
        int code() {
            return code;
        }
    }

    /**
     * The queues that somebody keeps at the sender or beyond it.
     *
     * @param version counts what the sender has said on this link
     * @param complete whether {@code added} is all; otherwise it changes what was said before
     */
    record Wants(long version, boolean complete, Set<String> removed, Set<String> added) implements LinkFrame {
        public Wants {
            removed = Set.copyOf(removed);
            added = Set.copyOf(added);
        }
    }

    /** The receiver of wants up to this version, and everybody beyond it who can be reached, act on them. */
    record Known(long version) implements LinkFrame {}

    /** A broker's report, as JSON; passed on to everybody. */
    record Report(byte[] json) implements LinkFrame {}

    /**
     * A message.
     *
     * @param sequence counts the messages on this link
     * @param via names of the brokers that it has passed, the sender last, each followed by a slash
     * @param message as the core protocol encodes it; whoever gets the frame releases it
     */
    record Carried(long sequence, String via, ByteBuf message) implements LinkFrame {}

    /** The messages up to this one are on disk at the sender of this frame, or dropped there for good. */
    record Taken(long sequence) implements LinkFrame {}

    /** Nobody at the sender of this frame or beyond it wants this address. */
    record Unwanted(String address) implements LinkFrame {}
}
