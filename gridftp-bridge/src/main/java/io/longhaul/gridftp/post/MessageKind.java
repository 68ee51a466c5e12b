package io.longhaul.gridftp.post;

/** What a message says; see {@code docs/protocol/endpoint.md}. */
public enum MessageKind {
    /** {@link Message.Call}. */
    CALL(1),
    /** {@link Message.Answer}. */
    ANSWER(2),
    /** {@link Message.Have}. */
    HAVE(3),
    /** {@link Message.Pull}. */
    PULL(4),
    /** {@link Message.Block}. */
    BLOCK(5),
    /** {@link Message.Unknown}. */
    UNKNOWN(6);

    private static final MessageKind[] BY_CODE = new MessageKind[values().length + 1];

    static {
        for (MessageKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final int code;

    MessageKind(int code) {
        this.code = code;
    }

    /** Returns its byte in a message. */
    public int code() {
        return code;
    }

    static MessageKind of(int code) {
        if (code < 1 || code >= BY_CODE.length) {
            throw new MessageException("message: unknown kind " + code);
        }
        return BY_CODE[code];
    }
}
