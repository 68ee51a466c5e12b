package io.longhaul.broker.users;

/** A users file cannot be read or written, or breaks its form; the message names the file, the user and the field. */
public final class UsersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsersException(String message) {
        super(message);
    }

    UsersException(String message, Throwable cause) {
        super(message, cause);
    }
}
