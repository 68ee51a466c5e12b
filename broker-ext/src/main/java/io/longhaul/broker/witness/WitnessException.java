package io.longhaul.broker.witness;

/** The witness cannot be asked, or does not do what it was asked; the message is for a person. */
public final class WitnessException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is to be done about it. */
    public enum Kind {
        /** Nobody answers; ask again later. */
        UNREACHABLE,
        /** Something on the way, or the witness itself, says no for now; ask again later. */
        DENIED,
        /** It will never work: a login, a version, or another pair of this name. */
        REFUSED,
        /** Somebody else decides for the pair now. */
        LOST
    }

    private final Kind kind;

    WitnessException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns whether the same may be answered later. */
    public boolean isPassing() {
        return kind == Kind.UNREACHABLE || kind == Kind.DENIED;
    }
}
