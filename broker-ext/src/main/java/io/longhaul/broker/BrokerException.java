package io.longhaul.broker;

/** The one exception of the broker module; the message is one line that a person can act on. */
public class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it is. */
    public enum Code {
        /** A setting or a file that it names is wrong; another run with the same settings fails alike. */
        BAD_CONFIG,
        /** The data directory belongs to another running broker. */
        IN_USE,
        /** The port cannot be listened on; unlike {@link #IN_USE} the data directory is free. */
        CANNOT_LISTEN,
        /** The disk has less room than the broker needs to start. */
        NO_SPACE,
        /** The data directory cannot be read or written, or what it holds is damaged. */
        BAD_DATA,
        /** The server under the broker failed in a way that has no better code. */
        FAILED
    }

    private final Code code;

    /** Makes one without a cause; the message is one line. */
    public BrokerException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** Makes one; the message is one line. */
    public BrokerException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Returns what kind of failure it is. */
    public Code code() {
        return code;
    }
}
