package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a back end's failure is to a client: the code of RFC 959, and the lines with the words that programs look for to
 * decide whether trying again helps.
 */
public final class BackendReplies {
    private static final Logger LOG = LoggerFactory.getLogger(BackendReplies.class);

    private BackendReplies() {}

    /** Returns the reply for a failure; one that no back end should have is logged. */
    public static Reply of(Throwable failure) {
        Throwable cause = BackendException.cause(failure);
        if (cause instanceof BackendException known) {
            return of(known);
        }
        LOG.warn("unexpected failure of a back end", cause);
        return Reply.of(451, "Local error: " + cause.getClass().getSimpleName());
    }

    private static Reply of(BackendException failure) {
        String message = String.valueOf(failure.getMessage());
        List<String> inner = new ArrayList<>();
        int number = errno(failure.code());
        if (number > 0) {
            inner.add("GridFTP-Errno: " + number);
        }
        inner.add("GridFTP-Reason: " + message);
        String words = words(failure.code());
        if (!words.isEmpty()) {
            inner.add("GridFTP-Error-String: " + words);
        }
        inner.addAll(failure.details());
        return Reply.of(
                reply(failure.code()),
                "GlobusError: v=1 c=" + globus(failure.code()).toUpperCase(Locale.ROOT),
                inner,
                "End.");
    }

    /** RFC 959 section 4.2.1; what begins with 4 is worth another try. */
    private static int reply(Code code) {
        return switch (code) {
            case NOT_FOUND, DENIED, NOT_A_DIRECTORY, IS_A_DIRECTORY, NOT_EMPTY, BAD_CHECKSUM -> 550;
            case EXISTS, BAD_NAME -> 553;
            case NO_SPACE -> 552;
            case NOT_LOGGED_IN -> 530;
            case BAD_RANGE -> 554;
            case UNSUPPORTED -> 504;
            case UNAVAILABLE, LASTING, FAILED -> 451;
        };
    }

    private static String globus(Code code) {
        return switch (code) {
            case NOT_FOUND -> "PATH_NOT_FOUND";
            case DENIED, NOT_LOGGED_IN -> "PERMISSION_DENIED";
            case EXISTS -> "PATH_EXISTS";
            case NOT_A_DIRECTORY, IS_A_DIRECTORY, BAD_NAME, BAD_RANGE, UNSUPPORTED -> code.name();
            case NOT_EMPTY, FAILED -> "INTERNAL_ERROR";
            case NO_SPACE -> "NO_SPACE_LEFT";
            case BAD_CHECKSUM -> "INCORRECT_CHECKSUM";
            case UNAVAILABLE, LASTING -> "TOO_BUSY";
        };
    }

    /** The numbers of Linux, which clients of Globus servers compare with. */
    private static int errno(Code code) {
        return switch (code) {
            case NOT_FOUND -> 2;
            case DENIED, NOT_LOGGED_IN -> 13;
            case EXISTS -> 17;
            case NOT_A_DIRECTORY -> 20;
            case IS_A_DIRECTORY -> 21;
            case NO_SPACE -> 28;
            case NOT_EMPTY -> 39;
            case BAD_NAME, BAD_RANGE, BAD_CHECKSUM, UNSUPPORTED, UNAVAILABLE, LASTING, FAILED -> 0;
        };
    }

    private static String words(Code code) {
        return switch (code) {
            case NOT_FOUND -> "No such file or directory";
            case DENIED, NOT_LOGGED_IN -> "Permission denied";
            case EXISTS -> "File exists";
            case NOT_A_DIRECTORY -> "Not a directory";
            case IS_A_DIRECTORY -> "Is a directory";
            case NO_SPACE -> "No space left on device";
            case NOT_EMPTY -> "Directory not empty";
            case BAD_NAME, BAD_RANGE, BAD_CHECKSUM, UNSUPPORTED, UNAVAILABLE, LASTING, FAILED -> "";
        };
    }
}
