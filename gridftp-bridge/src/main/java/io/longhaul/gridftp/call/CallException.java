package io.longhaul.gridftp.call;

/** A call or an answer that breaks the rules of its form; the message says where, what was expected and found. */
public final class CallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CallException(String message) {
        super(message);
    }

    CallException(String message, Throwable cause) {
        super(message, cause);
    }
}
