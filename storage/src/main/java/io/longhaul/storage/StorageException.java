package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.Path;

/** The one exception of this module; the message names path, what was expected and what was found. */
public class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Code {
        /** Quota, free-space floor or disk is exhausted: may go on when space returns. */
        NO_SPACE,
        /** Another process has the directory open. */
        IN_USE,
        /** What is on disk is not what was written: checksum, structure. */
        DAMAGED,
        /** Written by a version that this one does not know. */
        VERSION,
        /** Any other failure of the disk. */
        IO,
        /** The directory was removed, moved or replaced while it was in use. */
        LOST,
        /** The store is closed. */
        CLOSED
    }

    private final Code code;

    public StorageException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public StorageException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Returns the exception for an operation on a path that the system did not do. */
    public static StorageException of(String operation, Path path, IOException cause) {
        return DiskFailure.of(operation, path, 0, cause);
    }

    /** Returns what the system says of a failure, in words that do not repeat the path. */
    public static String reason(IOException cause) {
        return DiskFailure.reason(cause);
    }

    public Code code() {
        return code;
    }
}
