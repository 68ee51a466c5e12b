package io.longhaul.broker.artemis;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The connections of one place for plain clients: bounded, since each is an open file, of which the journal needs some.
 *
 * <p>A quarter is for strangers, who have no session. When there are more, the oldest of them makes room for the newest:
 * who means it has a session long before a crowd of silent ones has pushed it out. Thread-safe.
 */
final class PlainConnections {
    private static final int STRANGERS_SHARE = 4;
    private final int most;
    private final int mostStrangers;
    private final QuietLog log;
    private final Set<Channel> strangers = new LinkedHashSet<>(); // oldest first, some known meanwhile; guarded by this
    private int count; // guarded by this

    /** Takes how many there may be. */
    PlainConnections(int most, QuietLog log) {
        this.most = most;
        this.mostStrangers = Math.max(1, most / STRANGERS_SHARE);
        this.log = log;
    }

    /** Takes a new one in, for which the oldest stranger may have to go; else closes it and returns false. */
    synchronized boolean enter(Channel channel) {
        if (strangers.size() >= mostStrangers) {
            strangers.removeIf(ConnectionGuard::isTrusted);
        }
        Iterator<Channel> oldest = strangers.iterator();
        while (strangers.size() >= mostStrangers && oldest.hasNext()) {
            Channel one = oldest.next();
            oldest.remove();
            drop(one, "crowd", "still without a session when too many newer ones came");
        }
        if (count >= most) {
            drop(channel, "full", "more than " + most + " connections");
            return false;
        }
        count++;
        strangers.add(channel);
        channel.closeFuture().addListener(closed -> left(channel));
        return true;
    }

    private synchronized void left(Channel channel) {
        count--;
        strangers.remove(channel);
    }

    private void drop(Channel channel, String kind, String why) {
        log.warn(kind, "connection from " + channel.remoteAddress() + " dropped: " + why);
        channel.close();
    }
}
