package io.longhaul.gridftp.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Why a back end did not do what it was asked for. */
public final class BackendException extends RuntimeException {
    /** How long what nobody waits for pauses after a refused login: to repeat it soon gets users locked out. */
    public static final Duration LOGIN_PAUSE = Duration.ofMinutes(10);

    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Code {
        /** There is nothing of that name, or no directory to put it into. */
        NOT_FOUND,
        /** It is there, but the user may not do that; trying again does not help. */
        DENIED,
        /** The name is taken. */
        EXISTS,
        /** A directory was expected. */
        NOT_A_DIRECTORY,
        /** Something else than a directory was expected. */
        IS_A_DIRECTORY,
        /** The directory still has entries. */
        NOT_EMPTY,
        /** The disk or the user's share of it is full. */
        NO_SPACE,
        /** The name cannot be a file's here: too long, or with characters that are not allowed. */
        BAD_NAME,
        /** The bytes that a restart takes for granted are not here; starting from the beginning helps. */
        BAD_RANGE,
        /** The back end cannot do that to any file. */
        UNSUPPORTED,
        /** The bytes are not those of the checksum that was given for them. */
        BAD_CHECKSUM,
        /** The back end cannot be reached or has too much to do; trying again later helps. */
        UNAVAILABLE,
        /**
         * The back end can be reached, and has said so often that it cannot do it now that this will not pass by itself: a person
         * has to see to it.
         */
        LASTING,
        /**
         * The back end lets nobody in as this user, or there is no login for the user. It is not tried again before a person has
         * seen to it: to repeat a refused login gets users locked out.
         */
        NOT_LOGGED_IN,
        /** Anything else: the disk failed, the other end said something strange. */
        FAILED
    }

    private final Code code;
    private final String details;
    private final boolean untried;
    private final boolean away;
    private final boolean different;

    /** Takes a line for a person: what, where, expected, found. Paths are the door's, not the machine's. */
    public BackendException(Code code, String message) {
        this(code, message, List.of());
    }

    /** Takes a line for a person, and more lines with what there is to say of each of several places. */
    public BackendException(Code code, String message, List<String> details) {
        this(code, message, null, String.join("\n", details), false, false, false);
    }

    /** Takes a line for a person and what caused it. */
    public BackendException(Code code, String message, Throwable cause) {
        this(code, message, cause, "", false, false, false);
    }

    private BackendException(
            Code code,
            String message,
            @Nullable Throwable cause,
            String details,
            boolean untried,
            boolean away,
            boolean different) {
        super(message, cause);
        this.code = code;
        this.details = details;
        this.untried = untried;
        this.away = away;
        this.different = different;
    }

    /**
     * Returns the failure of a connection: there is none, or it ended, or nothing came in time. Or that of this machine, which has
     * trouble of its own.
     */
    public static BackendException away(String message, @Nullable Throwable cause) {
        return new BackendException(Code.UNAVAILABLE, message, cause, "", false, true, false);
    }

    /**
     * Returns the failure of a file that the server said to have, and that is not what was sent: trying again helps, and who tries
     * counts how often it has not.
     */
    public static BackendException different(String message) {
        return new BackendException(Code.UNAVAILABLE, message, null, "", false, false, true);
    }

    /** Returns what a future failed with, without the words that futures put around it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Returns what a future of a back end failed with; empty when it did not, or with something that no back end says. */
    public static Optional<Code> codeOf(@Nullable Throwable failure) {
        return failure != null && cause(failure) instanceof BackendException known
                ? Optional.of(known.code)
                : Optional.empty();
    }

    /** Returns the failure of something that nobody was asked to do, because of this one. */
    public BackendException untried() {
        return new BackendException(code, String.valueOf(getMessage()), this, "", true, away, different);
    }

    /** Returns the same with what people read of it in other words. */
    public BackendException inWords(UnaryOperator<String> words) {
        String message = String.valueOf(getMessage());
        String told = words.apply(message);
        String toldDetails = words.apply(details);
        return told.equals(message) && toldDetails.equals(details)
                ? this
                : new BackendException(code, told, this, toldDetails, untried, away, different);
    }

    /** Returns whether nobody was asked to do it, so that trying again does nothing twice. */
    public boolean isUntried() {
        return untried;
    }

    /**
     * Returns whether the server did not answer, so that it is waited for while somebody waits for the answer; else it did, and
     * would say the same again. The one rule of commands and of files that are opened; what is under way already waits for all that
     * is {@link Code#UNAVAILABLE}.
     */
    public boolean isAway() {
        return away;
    }

    /** Returns whether all was sent and the server has something else: to send it again costs as much once more. */
    public boolean isDifferent() {
        return different;
    }

    /** Returns what went wrong. */
    public Code code() {
        return code;
    }

    /** Returns more lines; none for most. */
    public List<String> details() {
        return details.lines().toList();
    }
}
