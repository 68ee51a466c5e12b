package io.longhaul.broker.artemis;

/** The server could not be launched; the launcher turns this into the module's own exception. */
public final class ServerException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why; the names are those of the module's codes. */
    public enum Kind {
        BAD_CONFIG,
        IN_USE,
        CANNOT_LISTEN,
        NO_SPACE,
        BAD_DATA,
        FAILED
    }

    private final Kind kind;

    ServerException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    ServerException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
