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
    private static final Map<String, Code> WORDS = Map.ofEntries(
            Map.entry("No space left on device", Code.NO_SPACE),
            Map.entry("Disk quota exceeded", Code.NO_SPACE),
            Map.entry("File too large", Code.NO_SPACE),
            Map.entry("Not a directory", Code.NOT_A_DIRECTORY),
            Map.entry("Is a directory", Code.IS_A_DIRECTORY),
            Map.entry("Directory not empty", Code.NOT_EMPTY),
            Map.entry("File name too long", Code.BAD_NAME),
            Map.entry("Read-only file system", Code.DENIED),
            Map.entry("Operation not permitted", Code.DENIED),
            Map.entry("Too many levels of symbolic links", Code.DENIED),
            // trouble of this machine, or of the one that has the disk: it says nothing about the file
            Map.entry("Too many open files", Code.UNAVAILABLE),
            Map.entry("Cannot allocate memory", Code.UNAVAILABLE),
            Map.entry("Resource temporarily unavailable", Code.UNAVAILABLE),
            Map.entry("Device or resource busy", Code.UNAVAILABLE),
            Map.entry("Input/output error", Code.UNAVAILABLE),
            Map.entry("Remote I/O error", Code.UNAVAILABLE),
            Map.entry("Stale file handle", Code.UNAVAILABLE),
            Map.entry("Stale NFS file handle", Code.UNAVAILABLE),
            Map.entry("Transport endpoint is not connected", Code.UNAVAILABLE),
            Map.entry("Connection timed out", Code.UNAVAILABLE));

    private Failures() {}

    /** Returns what a failure of the system means for a path. */
    public static BackendException of(FilePath path, IOException failure) {
        Code code = code(failure);
        String message = path + ": " + words(code, failure);
        return code == Code.UNAVAILABLE
                ? BackendException.away(message, failure)
                : new BackendException(code, message, failure);
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
            case BAD_CHECKSUM, UNAVAILABLE, LASTING, NOT_LOGGED_IN, UNSUPPORTED, FAILED ->
                reason(failure).isEmpty() ? failure.getClass().getSimpleName() : reason(failure);
        };
    }
}
