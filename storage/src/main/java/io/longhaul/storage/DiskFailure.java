package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Turns what the operating system says into the module's exception. */
final class DiskFailure {
    private DiskFailure() {}

    /**
     * Returns the exception for a failed operation.
     *
     * @param neededBytes what the operation was to write, named when the disk is full
     */
    static StorageException of(String operation, Path path, long neededBytes, IOException cause) {
        String reason = reason(cause);
        if (isFull(cause)) {
            return new StorageException(
                    StorageException.Code.NO_SPACE,
                    noSpace(path, neededBytes, RealDisk.INSTANCE.usableSpace(path)) + " (" + operation + ": " + reason
                            + ")",
                    cause);
        }
        return new StorageException(StorageException.Code.IO, operation + " " + path + ": " + reason, cause);
    }

    /** Returns the one wording for a lack of space. */
    static String noSpace(Path path, long neededBytes, long freeBytes) {
        return "no space for " + path + ": needed " + neededBytes + " bytes, free " + freeBytes + " bytes";
    }

    private static boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("No space left on device") || message.contains("Disk quota exceeded");
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "does not exist";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        if (e instanceof FileSystemException failure && failure.getReason() != null) {
            return failure.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
