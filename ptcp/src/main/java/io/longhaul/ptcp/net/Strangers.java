package io.longhaul.ptcp.net;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connections that belong to no session with a stream yet, in the order in which they came.
 *
 * <p>They are few, and when one is too many the oldest makes room: who means it has said its greeting long before a crowd
 * of silent ones has pushed it out, whereas refusing the newest would shut everybody out. Thread-safe.
 */
final class Strangers {
    private final int most;
    private final Set<Channel> waiting = new LinkedHashSet<>(); // oldest first; guarded by this

    Strangers(int most) {
        this.most = most;
    }

    /** Takes away and returns the oldest one if there are as many as may be; else {@code null}. */
    synchronized @Nullable Channel makeRoom() {
        if (waiting.size() < most) {
            return null;
        }
        Iterator<Channel> oldest = waiting.iterator();
        Channel channel = oldest.next();
        oldest.remove();
        return channel;
    }

    synchronized void add(Channel channel) {
        waiting.add(channel);
    }

    /** Forgets one that is gone, or is no stranger any more; returns whether it was there. */
    synchronized boolean remove(Channel channel) {
        return waiting.remove(channel);
    }
}
