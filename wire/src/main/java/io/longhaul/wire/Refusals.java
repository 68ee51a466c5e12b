package io.longhaul.wire;

import java.util.Optional;

/**
 * How a broker says why it refuses: the first word of the message of an exception.
 *
 * <p>A broker's transport carries an error code and a text. The codes are the transport's own and too coarse, so the
 * text starts with one of these words, a colon and a blank; the rest is one line for a person.
 */
public final class Refusals {
    /** The topic has no subscription: a frame sent to it would vanish. */
    public static final String NO_SUBSCRIPTION = "LH-NO-SUBSCRIPTION";

    /** The broker's disk is at its floor; it takes frames again when space returns. */
    public static final String NO_SPACE = "LH-NO-SPACE";

    /** Another live session of another owner holds the subscription or inbox. */
    public static final String NAME_IN_USE = "LH-NAME-IN-USE";

    /** The user lacks the right. */
    public static final String FORBIDDEN = "LH-FORBIDDEN";

    /** A user or a topic has used up a limit: no other transfer may begin for now. */
    public static final String QUOTA = "LH-QUOTA";

    /** Too many logins wait, or too many from the address have failed: this one was not looked at and may come again later. */
    public static final String LATER = "LH-LATER";

    /** The frame breaks a limit of the broker; sending it again would not help. */
    public static final String BAD_FRAME = "LH-BAD-FRAME";

    /**
     * Key of a session's metadata: identity of the data directory on whose behalf the session consumes. Set it before
     * the first consumer is made; the text is opaque to the broker.
     */
    public static final String OWNER = "lh-owner";

    private Refusals() {}

    /** Returns the message that a broker sends: {@code word: detail}. */
    public static String message(String word, String detail) {
        return word + ": " + detail;
    }

    /** Returns whether an exception's message carries this word, at its start or after a transport's own prefix. */
    public static boolean says(String word, Throwable refusal) {
        return detail(word, refusal).isPresent();
    }

    /** Returns the text after the word, for a person; empty when the message does not carry it. */
    public static Optional<String> detail(String word, Throwable refusal) {
        String message = String.valueOf(refusal.getMessage());
        int at = message.indexOf(word + ": ");
        return at < 0 ? Optional.empty() : Optional.of(message.substring(at + word.length() + 2));
    }
}
