package io.longhaul.storage;

/** Whether a transfer leaves or enters this agent. */
public enum Direction {
    OUTGOING,
    INCOMING
}
