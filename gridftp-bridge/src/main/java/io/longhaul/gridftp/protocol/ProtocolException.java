package io.longhaul.gridftp.protocol;

/** What the other end sent does not have the form that the protocol gives it. */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean foreign;

    /** Takes a line for a person: what, expected, found. */
    public ProtocolException(String message) {
        this(message, false);
    }

    private ProtocolException(String message, boolean foreign) {
        super(message);
        this.foreign = foreign;
    }

    /** Returns the failure of bytes that nobody who speaks the protocol sends. */
    static ProtocolException ofStranger(String message) {
        return new ProtocolException(message, true);
    }

    /** Returns whether the bytes look like those of somebody who does not speak the protocol at all. */
    public boolean isForeign() {
        return foreign;
    }
}
