package io.longhaul.broker.artemis;

/** What a broker of a pair is now. */
public enum PairStanding {
    /** Not decided, or not yet loaded. */
    STARTING,
    /** It lives, and its backup has what it has. */
    PRIMARY,
    /** It lives, and there is no backup, or one that has not everything. */
    ALONE,
    /** It has what the primary has, and may take over. */
    BACKUP,
    /** It is a backup that has not everything: it gets a copy, or waits for somebody to copy from. */
    COPYING,
    /** It stopped by itself, and may be started again. */
    OVER;

    /** Returns whether agents are served. */
    public boolean isLive() {
        return this == PRIMARY || this == ALONE;
    }
}
