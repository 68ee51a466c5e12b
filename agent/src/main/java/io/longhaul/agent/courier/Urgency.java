package io.longhaul.agent.courier;

/** What goes first where parcels wait in the network. */
public enum Urgency {
    /** Small things that somebody waits for: commands, answers, requests. */
    URGENT(7),
    /** Contents. */
    BULK(3);

    private final int priority;

    Urgency(int priority) {
        this.priority = priority;
    }

    int priority() {
        return priority;
    }
}
