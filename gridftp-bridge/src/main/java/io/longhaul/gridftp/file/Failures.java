package io.longhaul.gridftp.file;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;

/** What the system's failures mean; messages name the user's path, never the machine's. */
public final class Failures {
    /** The words of strerror, which Java passes on where it has no exception of its own. */
    private static final Map<String, Code> WORDS = Map.of(
            "No space left on device", Code.NO_SPACE,
            "Disk quota exceeded", Code.NO_SPACE,
            "File too large", Code.NO_SPACE,
            "Not a directory", Code.NOT_A_DIRECTORY,
            "Is a directory", Code.IS_A_DIRECTORY,
            "Directory not empty", Code.NOT_EMPTY,
            "File name too long", Code.BAD_NAME,
            "Read-only file system", Code.DENIED,
            "Operation not permitted", Code.DENIED,
            "Too many levels of symbolic links", Code.DENIED);

    private Failures() {}

    /** Returns what a failure of the system means for a path. */
    public static BackendException of(FilePath path, IOException failure) {
        Code code = code(failure);
        return new BackendException(code, path + ": " + words(code, failure), failure);
    }

    private static Code code(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return Code.NOT_FOUND;
        }
        if (failure instanceof AccessDeniedException) {
            return Code.DENIED;
        }
        if (failure instanceof FileAlreadyExistsException) {
            return Code.EXISTS;
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return Code.NOT_EMPTY;
        }
        if (failure instanceof NotDirectoryException) {
            return Code.NOT_A_DIRECTORY;
        }
        String text = reason(failure);
        return WORDS.entrySet().stream()
                .filter(words -> text.contains(words.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Code.FAILED);
    }

    private static String reason(IOException failure) {
        String reason = failure instanceof FileSystemException system ? system.getReason() : failure.getMessage();
        return reason == null ? "" : reason;
    }

    static BackendException of(FilePath path, Code code) {
        return new BackendException(code, path + ": " + words(code, new IOException("")));
    }

    /** The words of strerror: those who read them are used to them, and some are programs. */
    private static String words(Code code, IOException failure) {
        return switch (code) {
            case NOT_FOUND -> "No such file or directory";
            case DENIED -> "Permission denied";
            case EXISTS -> "File exists";
            case NOT_A_DIRECTORY -> "Not a directory";
            case IS_A_DIRECTORY -> "Is a directory";
            case NOT_EMPTY -> "Directory not empty";
            case NO_SPACE -> "No space left on device";
            case BAD_NAME -> "File name not allowed";
            case BAD_RANGE -> "the bytes before the restart are not here";
            case BAD_CHECKSUM, UNAVAILABLE, UNSUPPORTED, FAILED ->
                reason(failure).isEmpty() ? failure.getClass().getSimpleName() : reason(failure);
        };
    }
}
