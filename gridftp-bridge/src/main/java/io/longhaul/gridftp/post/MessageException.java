package io.longhaul.gridftp.post;

/** A message does not have the form that the protocol gives it. */
public final class MessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Takes a line for a person: what, expected, found. */
    public MessageException(String message) {
        super(message);
    }
}
