package io.longhaul.broker;

/** What a broker is now. */
public enum BrokerRole {
    /** A broker by itself. */
    SINGLE,
    /** One of a pair, of which it is not decided yet what it is to be, or that loads what it has. */
    STARTING,
    /** One of a pair: it lives, and its backup has all that it has acknowledged. */
    PRIMARY,
    /** One of a pair: it lives, and there is no backup that has everything. */
    ALONE,
    /** One of a pair: it has a whole copy, and takes over when it may. */
    BACKUP,
    /** One of a pair: it has no whole copy, and gets one as soon as there is somebody to copy from. */
    COPYING,
    /** One of a pair: it stopped living, because its partner lives or its disk has failed; launch it again. */
    OVER;

    /** Returns whether agents are served. */
    public boolean isLive() {
        return this == SINGLE || this == PRIMARY || this == ALONE;
    }
}
