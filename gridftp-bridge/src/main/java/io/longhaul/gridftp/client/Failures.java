package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/**
 * What a server's refusal means. The code of a reply says little: Globus servers say 500 to nearly everything, others 550.
 * So the words of Globus servers count first, then those of the system, then the code; but for codes about connections.
 */
public final class Failures {
    private static final Pattern GLOBUS = Pattern.compile("\\bc=([A-Z_]+)");
    private static final int MOST_CHARACTERS = 600;

    /** Some servers say so to a wrong password, though 4 means that it may be right later. */
    private static final int WRONG_PASSWORD = 430;

    private static final Set<Integer> CONNECTION = Set.of(421, 425, 426);

    private static final Map<String, Code> NAMES = Map.ofEntries(
            Map.entry("PATH_NOT_FOUND", Code.NOT_FOUND),
            Map.entry("PERMISSION_DENIED", Code.DENIED),
            Map.entry("PATH_EXISTS", Code.EXISTS),
            Map.entry("NOT_A_DIRECTORY", Code.NOT_A_DIRECTORY),
            Map.entry("IS_A_DIRECTORY", Code.IS_A_DIRECTORY),
            Map.entry("NO_SPACE_LEFT", Code.NO_SPACE),
            Map.entry("QUOTA_EXCEEDED", Code.NO_SPACE),
            Map.entry("INCORRECT_CHECKSUM", Code.BAD_CHECKSUM),
            Map.entry("BAD_NAME", Code.BAD_NAME),
            Map.entry("BAD_RANGE", Code.BAD_RANGE),
            Map.entry("UNSUPPORTED", Code.UNSUPPORTED),
            Map.entry("TOO_BUSY", Code.UNAVAILABLE),
            Map.entry("DATA_CHANNEL_COMMUNICATION_FAILURE", Code.UNAVAILABLE));

    /** What servers name before the reason: it may have any words in it. */
    private static final Pattern PATH = Pattern.compile("(?m)(?<=^|\\s)/[^:(\r\n]*(?=: )");

    /** Too many of what a person has to see to. */
    private static final Pattern BANNED = Pattern.compile(
            "(?:too many|maximum number)[^.;,]*(?:fail|attempt|wrong|incorrect|invalid|bad|unsuccessful|password)");

    /** What breaks off a handshake on its way; all else is said by one of the two ends, and stays so. */
    private static final Pattern BROKEN_OFF = Pattern.compile("(?i)clos|reset|broken pipe|timed out");

    private static final int MOST_LOOKED_AT = 8 * 1024;

    private record Words(String text, Code code) {}

    /** In lower case; the first that is found decides. */
    private static final List<Words> WORDS = List.of(
            new Words("no such file", Code.NOT_FOUND),
            new Words("no such directory", Code.NOT_FOUND),
            new Words("does not exist", Code.NOT_FOUND),
            new Words("file not found", Code.NOT_FOUND),
            new Words("directory not empty", Code.NOT_EMPTY),
            new Words("file exists", Code.EXISTS),
            new Words("already exists", Code.EXISTS),
            new Words("not a directory", Code.NOT_A_DIRECTORY),
            new Words("is a directory", Code.IS_A_DIRECTORY),
            new Words("not a plain file", Code.IS_A_DIRECTORY),
            new Words("not a regular file", Code.IS_A_DIRECTORY),
            new Words("no space left", Code.NO_SPACE),
            new Words("quota exceeded", Code.NO_SPACE),
            new Words("file too large", Code.NO_SPACE),
            // all that vsftpd says of a full disk, with 451
            new Words("failure writing to local file", Code.NO_SPACE),
            new Words("file name too long", Code.BAD_NAME),
            // a Globus server of a directory that is to be renamed into itself, with 451
            new Words("invalid argument", Code.FAILED),
            new Words("restart not permitted", Code.BAD_RANGE),
            new Words("permission denied", Code.DENIED),
            new Words("operation not permitted", Code.DENIED),
            new Words("access denied", Code.DENIED),
            // pure-ftpd to who may add files and do nothing else with them
            new Words("anonymous users are not allowed", Code.DENIED),
            new Words("read-only file system", Code.DENIED),
            new Words("end-of-file was reached", Code.UNAVAILABLE),
            new Words("connection refused", Code.UNAVAILABLE),
            new Words("connection reset", Code.UNAVAILABLE),
            new Words("timed out", Code.UNAVAILABLE),
            new Words("too many", Code.UNAVAILABLE),
            new Words("maximum number", Code.UNAVAILABLE),
            // proftpd to whoever connects meanwhile, with 500
            new Words("server shut down", Code.UNAVAILABLE),
            new Words("not understood", Code.UNSUPPORTED),
            new Words("not supported", Code.UNSUPPORTED),
            new Words("not implemented", Code.UNSUPPORTED),
            new Words("unknown command", Code.UNSUPPORTED),
            new Words("unknown checksum", Code.UNSUPPORTED),
            new Words("invalid command.", Code.UNSUPPORTED),
            new Words("opts failed", Code.UNSUPPORTED));

    private Failures() {}

    /** Returns the failure that a reply is, with the server's words. */
    public static BackendException of(String what, Reply reply) {
        return new BackendException(code(reply), what + ": " + text(reply));
    }

    /** Returns the failure that a reply to a login, or to a step of it, is. What may pass is no refusal: too many sessions, say. */
    static BackendException ofLogin(String what, Reply reply) {
        boolean mayPass = reply.code() / 100 == 4 && reply.code() != WRONG_PASSWORD
                || told(reply).filter(code -> code == Code.UNAVAILABLE).isPresent()
                        && !BANNED.matcher(lower(reply)).find();
        String message = what + " refused: " + text(reply);
        return mayPass ? BackendException.away(message, null) : new BackendException(Code.NOT_LOGGED_IN, message);
    }

    /** Returns the failure of a TLS handshake: a certificate that nobody trusts stays what it is. */
    static BackendException ofHandshake(BackendException failure) {
        return isDistrust(failure)
                ? new BackendException(Code.NOT_LOGGED_IN, String.valueOf(failure.getMessage()), failure)
                : failure;
    }

    private static boolean isDistrust(Throwable failure) {
        Throwable at = failure;
        while (at != null && !(at instanceof GeneralSecurityException)) {
            at = at.getCause();
        }
        return at != null;
    }

    /** Returns whether one end does not want the other one, which is no trouble of the way between them. */
    private static boolean isRefusal(Throwable failure) {
        return isDistrust(failure)
                || !BROKEN_OFF.matcher(String.valueOf(failure.getMessage())).find();
    }

    /**
     * Returns what a reply means. Words of one that is about a connection are about the connection: "Operation not permitted",
     * where a server wants it otherwise. Only a full disk is told so, too.
     */
    public static Code code(Reply reply) {
        boolean isOfConnection = CONNECTION.contains(reply.code());
        return told(reply)
                .filter(code -> !isOfConnection || code == Code.NO_SPACE)
                .orElseGet(() -> switch (reply.code()) {
                    case 421, 425, 426, 450, 451 -> Code.UNAVAILABLE;
                    case 452, 552 -> Code.NO_SPACE;
                    case 502, 504 -> Code.UNSUPPORTED;
                    case 532, 533, 534, 550, 553 -> Code.DENIED;
                    case 554 -> Code.BAD_RANGE;
                    case 530 -> Code.UNAVAILABLE;
                    default -> Code.FAILED;
                });
    }

    /** Returns whether a reply says no more than that it did not work, so that one has to look for the reason. */
    public static boolean isVague(Reply reply) {
        return (reply.code() == 550 || reply.code() == 553 || reply.code() / 100 == 5)
                && told(reply).isEmpty();
    }

    /** Returns a reply's words without the paths among them. */
    private static String lower(Reply reply) {
        String text = String.join("\n", reply.lines());
        String head = text.substring(0, Math.min(text.length(), MOST_LOOKED_AT));
        return PATH.matcher(head).replaceAll("").toLowerCase(Locale.ROOT);
    }

    private static Optional<Code> told(Reply reply) {
        String text = String.join("\n", reply.lines());
        Matcher globus = GLOBUS.matcher(text);
        while (globus.find()) {
            Code code = NAMES.get(globus.group(1));
            if (code != null) {
                return Optional.of(code);
            }
        }
        String lower = lower(reply);
        return WORDS.stream()
                .filter(words -> lower.contains(words.text()))
                .map(Words::code)
                .findFirst();
    }

    /** Returns the server's words as one line that harms nobody's terminal. */
    public static String text(Reply reply) {
        String text = reply.lines().stream().map(String::strip).collect(Collectors.joining(" / "));
        String printable = text.codePoints()
                .map(character -> Character.isISOControl(character) ? '?' : character)
                .limit(MOST_CHARACTERS)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return "the server said " + reply.code() + " " + printable;
    }

    /** Returns the failure of a connection, with words by which programs know that trying again helps. */
    public static BackendException lost(String what, Throwable cause) {
        Throwable reason = BackendException.cause(cause);
        if (reason instanceof BackendException known) {
            return known;
        }
        String words = reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage();
        String message = what + ": " + words;
        if (reason instanceof SSLException && isRefusal(reason)) {
            // the server is there, and its certificate stays what it is
            return new BackendException(Code.UNAVAILABLE, message, reason);
        }
        return reason instanceof IOException
                ? BackendException.away(message, reason)
                : new BackendException(Code.FAILED, message, reason);
    }

    /** Returns the failure of something that took too long. */
    public static BackendException late(String what, Duration limit) {
        return BackendException.away(what + ": Connection timed out: nothing in " + limit.toSeconds() + " s", null);
    }
}
