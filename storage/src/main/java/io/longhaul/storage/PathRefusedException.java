package io.longhaul.storage;

/**
 * The system does not take this path, or this length of a file: rights, a name too long, something else in the way.
 * Other files may be fine, unlike after any other {@link StorageException.Code#IO}.
 */
public final class PathRefusedException extends StorageException {
    private static final long serialVersionUID = 1L;

    public PathRefusedException(String message) {
        super(Code.IO, message);
    }

    public PathRefusedException(String message, Throwable cause) {
        super(Code.IO, message, cause);
    }
}
