package io.longhaul.agent;

/**
 * Learns of a subscription's transfers. Called on one thread of the subscription, in order; must not block for long;
 * exceptions are logged and dropped.
 */
public interface SubscriptionListener {
    /**
     * A transfer reached its end: delivered, kept, superseded or failed. Its receipt is in the ledger by then, and in the
     * network unless the broker refuses it. At least once: again after a crash that came before this had returned.
     */
    void ended(Delivered delivered);

    /** A transfer was first seen or made progress; at most ten times a second for each transfer. */
    default void progress(Progress progress) {}

    /** Something that a person should know: damage found, repair asked for, pause for want of space. One line. */
    default void notice(String line) {}
}
