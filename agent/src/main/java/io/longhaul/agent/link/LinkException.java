package io.longhaul.agent.link;

/** A link could not do what was asked. */
public class LinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** The broker could not be reached within the time given. */
        UNREACHABLE,
        /** The broker does not know the user or the password is wrong. */
        UNAUTHENTICATED,
        /** The user lacks the right. */
        FORBIDDEN,
        /** Nobody subscribes to the topic: the frame would vanish. */
        NO_SUBSCRIPTION,
        /** Another live session with another owner holds the subscription or inbox. */
        NAME_IN_USE,
        /** The user or the topic has used up a limit of the broker: no other transfer may begin for now. */
        QUOTA,
        /** The link was closed meanwhile. */
        CLOSED,
        /** The peer broke the protocol or failed in a way that has no better code. */
        FAILED
    }

    private final Code code;

    public LinkException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public LinkException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
