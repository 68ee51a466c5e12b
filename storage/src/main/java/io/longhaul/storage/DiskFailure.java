package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Turns what the operating system says into the module's exception. */
final class DiskFailure {
    /** The words of strerror, which Java passes on where it has no exception of its own. */
    private static final List<String> OF_PATH = List.of(
            "Operation not permitted",
            "File name too long",
            "File too large",
            "Not a directory",
            "Is a directory",
            "Directory not empty",
            "Too many levels of symbolic links",
            "Too many links",
            "Invalid cross-device link",
            "Invalid or incomplete multibyte or wide character");

    /** More than a file system takes for a name, or the blocks that point to others. */
    private static final long METADATA_BYTES = 1024 * 1024;

    private DiskFailure() {}

    /**
     * Returns the exception for a failed operation.
     *
     * @param neededBytes what the operation was to write, named when the disk is full
     */
    static StorageException of(String operation, Path path, long neededBytes, IOException cause) {
        String reason = reason(cause);
        if (SystemWords.tellOfNoSpace(String.valueOf(cause.getMessage()))) {
            long free = RealDisk.INSTANCE.usableSpace(path);
            return new StorageException(
                    StorageException.Code.NO_SPACE,
                    noSpace(path, neededBytes, free) + " (" + operation + ": " + reason
                            + otherLack(reason, neededBytes, free) + ")",
                    cause);
        }
        String message = operation + " " + path + ": " + reason;
        return isOfPath(cause, reason)
                ? new PathRefusedException(message, cause)
                : new StorageException(StorageException.Code.IO, message, cause);
    }

    private static boolean isOfPath(IOException e, String reason) {
        return e instanceof AccessDeniedException
                || e instanceof FileAlreadyExistsException
                || OF_PATH.stream().anyMatch(reason::contains);
    }

    /** Returns the one wording for a lack of space. */
    static String noSpace(Path path, long neededBytes, long freeBytes) {
        return "no space for " + path + ": needed " + neededBytes + " bytes, free " + freeBytes + " bytes";
    }

    /** Where bytes are left, it is something else of which there are none. */
    private static String otherLack(String reason, long neededBytes, long freeBytes) {
        return SystemWords.tellOfFullDisk(reason) && freeBytes - neededBytes > METADATA_BYTES
                ? ", though there are bytes: its inodes may be used up, see df -i"
                : "";
    }

    static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "does not exist";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        if (e instanceof AccessDeniedException) {
            return "Permission denied";
        }
        // the message of a failure of the file system begins with the path
        String words = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return words == null ? e.getClass().getSimpleName() : words;
    }
}
