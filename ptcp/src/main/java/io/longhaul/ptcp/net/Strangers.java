package io.longhaul.ptcp.net;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Connections of an acceptor that belong to no session yet, in the order in which they came.
 *
 * <p>They are few, and when one is too many the oldest makes room: who means it has a session long before a crowd
 * of silent ones has pushed it out, whereas refusing the newest would shut everybody out. Thread-safe.
 */
public final class Strangers {
    /** They are one in so many of all connections. */
    public static final int SHARE = 4;

    private final int most;
    private final Predicate<Channel> known;
    private final Set<Channel> waiting = new LinkedHashSet<>(); // oldest first; guarded by this

    /**
     * Takes how many connections there may be in all.
     *
     * @param known whether one has a session meanwhile, of whom nobody has said so by {@link #remove}
     */
    public Strangers(int mostConnections, Predicate<Channel> known) {
        this.most = Math.max(1, mostConnections / SHARE);
        this.known = known;
    }

    /** Returns how many there may be. */
    int most() {
        return most;
    }

    /** Takes away and returns the oldest one if there are as many as may be; else {@code null}. */
    public synchronized @Nullable Channel makeRoom() {
        if (waiting.size() >= most) {
            waiting.removeIf(known);
        }
        if (waiting.size() < most) {
            return null;
        }
        Iterator<Channel> oldest = waiting.iterator();
        Channel channel = oldest.next();
        oldest.remove();
        return channel;
    }

    /** Takes in one that came. */
    public synchronized void add(Channel channel) {
        waiting.add(channel);
    }

    /** Forgets one that is gone, or is no stranger any more; returns whether it was there. */
    public synchronized boolean remove(Channel channel) {
        return waiting.remove(channel);
    }
}
