package io.longhaul.broker.artemis;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What the system did not do in a data directory, in words for its operator. */
final class DataFailure {
    private DataFailure() {}

    /** Returns the failure of a launch; that of a full disk is of its own kind. */
    static ServerException of(Path data, String what, IOException cause) {
        String reason = reason(cause);
        String message = "data " + data + ": " + what + ": " + file(cause) + reason;
        if (reason.contains("No space left on device") || reason.contains("Disk quota exceeded")) {
            return new ServerException(
                    ServerException.Kind.NO_SPACE,
                    message + ", free " + free(data)
                            + " bytes; where bytes are left, inodes are used up (df -i) or a quota is",
                    cause);
        }
        return new ServerException(ServerException.Kind.BAD_DATA, message, cause);
    }

    private static String file(IOException cause) {
        return cause instanceof FileSystemException failure && failure.getFile() != null
                ? failure.getFile() + ": "
                : "";
    }

    private static String reason(IOException cause) {
        if (cause instanceof AccessDeniedException) {
            return "Permission denied";
        }
        if (cause instanceof NoSuchFileException) {
            return "No such file or directory";
        }
        if (cause instanceof FileAlreadyExistsException) {
            return "File exists";
        }
        // the message of a failure of the file system begins with the file
        String words = cause instanceof FileSystemException failure ? failure.getReason() : cause.getMessage();
        return words == null ? cause.toString() : words;
    }

    private static long free(Path data) {
        File existing = data.toAbsolutePath().toFile();
        while (existing.getParentFile() != null && !existing.exists()) {
            existing = existing.getParentFile();
        }
        return existing.getUsableSpace();
    }
}
