package io.longhaul.wire;

/** What arrived from the wire breaks the protocol; the message names the field, what was expected and what was found. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WireException(String message) {
        super(message);
    }

    public WireException(String message, Throwable cause) {
        super(message, cause);
    }
}
