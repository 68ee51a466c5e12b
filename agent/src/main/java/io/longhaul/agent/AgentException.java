package io.longhaul.agent;

import java.util.stream.Collectors;

/** The one exception of the SDK; the message is one line that a person can act on. */
public class AgentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it is; the exit code is the command line's. */
    public enum Code {
        /** An argument is wrong. */
        USAGE(2),
        /** The broker was never reached within the timeout. */
        UNREACHABLE(3),
        /** The transfer failed: source changed, unreadable, cancelled, refused by a subscriber. */
        TRANSFER_FAILED(4),
        /** Bytes are not what they should be. */
        VERIFICATION_FAILED(5),
        /** Stopped or timed out; the same call with the same data directory goes on. */
        INTERRUPTED(6),
        /** Not allowed or not possible now: login, rights, quota, disk floor, no subscription, name or data in use. */
        REFUSED(7);

        private final int exitCode;

        Code(int exitCode) {
            this.exitCode = exitCode;
        }

        /** Returns the exit code of the command line. */
        public int exitCode() {
            return exitCode;
        }
    }

    private final Code code;

    /** Makes one without a cause; of several lines of a message one is made. */
    public AgentException(Code code, String message) {
        super(oneLine(message));
        this.code = code;
    }

    /** Makes one; of several lines of a message one is made. */
    public AgentException(Code code, String message, Throwable cause) {
        super(oneLine(message), cause);
        this.code = code;
    }

    /** A message may quote others' words, as those of an application's stream that failed. */
    private static String oneLine(String message) {
        return String.valueOf(message)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** Returns what kind of failure it is. */
    public Code code() {
        return code;
    }
}
