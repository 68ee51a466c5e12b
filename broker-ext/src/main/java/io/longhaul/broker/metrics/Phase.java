package io.longhaul.broker.metrics;

/** How far a broker's life is. */
enum Phase {
    /** It loads what is on its disk, or is one of a pair between two lives. */
    STARTING,
    RUNNING,
    /** It was asked to end. */
    STOPPING,
    /** It ended unasked. */
    FAILED
}
