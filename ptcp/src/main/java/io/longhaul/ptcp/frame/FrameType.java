package io.longhaul.ptcp.frame;

import org.jspecify.annotations.Nullable;

/** Kinds of frames, with their numbers on the wire. */
public enum FrameType {
    /** A packet: bytes of the stream; only on data channels. */
    DATA(1),
    /** Asks for a sign of life. */
    PING(2),
    /** The answer to it. */
    PONG(3),
    /** How far the stream was received, and how far it may go. */
    ACK(4),
    /** How many data channels the sender of this frame would like. */
    STREAMS(5),
    /** A data channel is dead. */
    LOST(6),
    /** A data channel gets no new packets; it will be closed. */
    RETIRE(7),
    /** The stream ends here. */
    CLOSE(8),
    /** The session ends at once. */
    ABORT(9),
    /** How much of what its sender was allowed to send it will not. */
    GIVE_BACK(10);

    private static final FrameType[] BY_CODE = new FrameType[GIVE_BACK.code + 1];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable FrameType of(int code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
